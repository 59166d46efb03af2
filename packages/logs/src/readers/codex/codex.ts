import {
  type Conversation,
  isJsonObject,
  isUserAuthored,
  type JsonObject,
  type Message,
  textBlock,
  type Usage,
} from "@longhaul/conversation/advanced";
import { decodeMessage } from "../../messages/decode.ts";
import { addItem, writeEntries, writeLines } from "../../messages/entries.ts";
import type { LogDocument, LogLine } from "../../reading/document.ts";
import { listAt, textAt } from "../../reading/fields.ts";
import type { LogReader } from "../../reading/reader.ts";
import type {
  CallRecord,
  LoggedCall,
  LoggedCompaction,
  LoggedPrompt,
  LogReading,
  LogWarning,
} from "../../reading/reading.ts";
import { isOwnLine, readLine } from "./lines.ts";

/** Codex CLI's session log (a rollout): one JSON object per line, including items of the Responses format. */
export const codex: LogReader = {
  format: "codex",
  title: "Codex CLI session (JSONL)",
  wire: "openai-responses",
  defaultModel: "gpt-5",
  recognizes,
  read,
  write,
};

function read(document: LogDocument): LogReading | undefined {
  if (!recognizes(document)) return undefined;
  const { instructions, messages, calls, sideCalls, compactions, warnings } = transcribe(document.lines);
  return {
    format: "codex",
    conversation: {
      system: instructions === undefined || instructions === "" ? [] : [textBlock(instructions)],
      tools: [],
      messages,
    },
    calls,
    sideCalls,
    events: compactions,
    warnings: [...document.warnings, ...warnings].sort((a, b) => a.line - b.line),
  };
}

function recognizes({ lines }: LogDocument): boolean {
  return lines.some(({ value }) => isOwnLine(value));
}

/** Keeps the session's metadata and writes a new history in the current envelope format. */
function write({ lines }: LogDocument, conversation: Conversation): string {
  const timestamp = textAt(lines[0]?.value, "timestamp") ?? "1970-01-01T00:00:00.000Z";
  const seal = (type: string, payload: JsonObject) => ({ timestamp, type, payload });
  const first = (kind: "session" | "turn") => lines.filter(({ value }) => readLine(value).kind === kind).slice(0, 1);
  const session = first("session").map(({ value }) => ("payload" in value ? value : seal("session_meta", value)));
  const items = writeEntries("openai-responses", conversation).filter(isJsonObject);
  return writeLines([
    ...session,
    ...first("turn").map(({ value }) => value),
    ...items.map((item) => seal("response_item", item)),
  ]);
}

const WIRE = "openai-responses";

/** Converts lines to messages and calls. Consecutive items of the model up to a usage report are one reply. */
export function transcribe(lines: readonly LogLine[]): Readonly<Draft> {
  const draft: Draft = {
    instructions: undefined,
    messages: [],
    calls: [],
    sideCalls: [],
    compactions: [],
    warnings: [],
    window: { from: 0 },
    model: undefined,
    totalTokens: 0,
    isReplyOver: true,
  };
  for (const line of lines) addLine(draft, line);
  return draft;
}

interface Draft {
  instructions: string | undefined;
  readonly messages: Message[];
  readonly calls: LoggedCall[];
  readonly sideCalls: CallRecord[];
  readonly compactions: LoggedCompaction[];
  readonly warnings: LogWarning[];
  /** The part of the prompt before later messages. */
  window: Pick<LoggedPrompt, "from" | "summary">;
  model: string | undefined;
  /** Total of all calls as last reported. A report with the same total is a repeat. */
  totalTokens: number;
  isReplyOver: boolean;
}

function addLine(draft: Draft, { line, value }: LogLine): void {
  const read = readLine(value);
  switch (read.kind) {
    case "session":
      draft.instructions ??= read.instructions;
      break;
    case "turn":
      draft.model = read.model ?? draft.model;
      break;
    case "item":
      addResponseItem(draft, { line, value: read.item }, read.timestampMs);
      break;
    case "compacted":
      addCompaction(draft, { line, value: read.compacted });
      break;
    case "usage":
      addUsage(draft, read);
      break;
    case "rolled-back":
      rollBack(draft, read.turns);
      break;
    default:
  }
}

/** Item types of the client that the model does not see. */
const NOTES: ReadonlySet<unknown> = new Set(["ghost_snapshot"]);

function addResponseItem(draft: Draft, { line, value }: LogLine, timestampMs: number | undefined): void {
  if (NOTES.has(value.type)) return;
  const message = decodeMessage(WIRE, value);
  if (message === undefined) {
    draft.warnings.push({ line, message: "the line was skipped: its item has an unknown type or no readable content" });
    return;
  }
  const isNewReply = message.role === "assistant" && (draft.isReplyOver || draft.messages.at(-1)?.role !== "assistant");
  if (isNewReply) addCall(draft, timestampMs);
  addItem(draft.messages, message, isNewReply);
  draft.isReplyOver = message.role !== "assistant";
}

function addCall(draft: Draft, timestampMs: number | undefined): void {
  const reply = draft.messages.length;
  draft.calls.push({
    outcome: "finished",
    ...(draft.model !== undefined && { model: draft.model }),
    ...(timestampMs !== undefined && { timestampMs }),
    prompt: { ...draft.window, to: reply },
    reply,
  });
}

/** Assigns a usage report to the latest reply. If that already has one, the call returned nothing that was kept. */
function addUsage(draft: Draft, { usage, totalTokens }: { readonly usage: Usage; readonly totalTokens: number }): void {
  const isRepeat = totalTokens !== 0 && totalTokens === draft.totalTokens;
  draft.totalTokens = totalTokens;
  if (isRepeat) return;
  draft.isReplyOver = true;
  const last = draft.calls.at(-1);
  if (last !== undefined && last.usage === undefined) draft.calls[draft.calls.length - 1] = { ...last, usage };
  else draft.sideCalls.push({ outcome: "finished", ...(draft.model !== undefined && { model: draft.model }), usage });
}

/** Adds a compaction. Newer versions log the whole replacement history, which becomes one message here. */
function addCompaction(draft: Draft, { line, value }: LogLine): void {
  const at = draft.messages.length;
  const text = textAt(value, "message") ?? "";
  const kept = (listAt(value, "replacement_history") ?? []).flatMap((item) =>
    isJsonObject(item) ? (decodeMessage(WIRE, item)?.blocks ?? []) : [],
  );
  const blocks = kept.length > 0 ? kept : [textBlock(text)];
  draft.compactions.push({ kind: "compaction", line, at, keptFrom: at, summary: text });
  draft.window = { from: at, summary: { role: "user", blocks } };
  draft.isReplyOver = true;
}

/** Removes the latest user turns from the conversation. Their calls were paid for and become side calls. */
function rollBack(draft: Draft, turns: number): void {
  const starts = [...draft.messages.keys()].filter((index) => isTurnStart(draft.messages[index]));
  const cut = turns > 0 ? (starts.at(-turns) ?? 0) : draft.messages.length;
  draft.messages.splice(cut);
  const given = draft.calls.filter(({ reply }) => reply !== undefined && reply < cut);
  for (const { prompt: _prompt, reply: _reply, ...record } of draft.calls.slice(given.length))
    draft.sideCalls.push(record);
  draft.calls.splice(given.length);
  draft.window = { ...draft.window, from: Math.min(draft.window.from, cut) };
  draft.isReplyOver = true;
}

/** Whether a message starts a user turn. The client also sends context as user messages, in tags or under a heading. */
function isTurnStart(message: Message | undefined): boolean {
  if (!isUserAuthored(message)) return false;
  const [first] = message?.blocks ?? [];
  return !(first?.type === "text" && /^(<[a-z_]+[ >]|# AGENTS\.md )/.test(first.text));
}

import { type Conversation, isJsonObject, type JsonObject, type JsonValue, pureHash } from "@longhaul/conversation";
import { writeEntries, writeLines } from "../../messages/write.ts";
import type { LogDocument, LogLine } from "../../reading/document.ts";
import { textAt } from "../../reading/fields.ts";
import type { LogReader } from "../../reading/reader.ts";
import type { CallRecord, LoggedContinuation, LoggedTitle, LogReading } from "../../reading/reading.ts";
import { callRecord, isEntry, isReply, replyKey, titleText } from "./lines.ts";
import { mainThread } from "./main-thread.ts";
import { transcribe } from "./transcript.ts";

/** Claude Code's session log: one JSON object per line, linked by `parentUuid`. */
export const claudeCode: LogReader = {
  format: "claude-code",
  title: "Claude Code session (JSONL)",
  wire: "anthropic-messages",
  typicalModel: "claude-sonnet-4-5",
  recognizes,
  read,
  write: ({ lines }, conversation) => writeThread(mainThread(lines), conversation),
};

function read(document: LogDocument): LogReading | undefined {
  if (!recognizes(document)) return undefined;
  const thread = mainThread(document.lines);
  const { messages, calls, compactions, warnings } = transcribe(thread);
  return {
    format: "claude-code",
    conversation: { system: [], tools: [], messages },
    calls,
    sideCalls: sideCalls(document.lines, thread),
    events: [...document.lines.flatMap(asTitle), ...continuation(document, thread), ...compactions].sort(byLine),
    warnings: [...document.warnings, ...warnings].sort(byLine),
  };
}

function recognizes({ lines }: LogDocument): boolean {
  return lines.some((line) => isEntry(line) && (line.value.type === "user" || line.value.type === "assistant"));
}

function byLine(a: { readonly line: number }, b: { readonly line: number }): number {
  return a.line - b.line;
}

/** A session that was resumed in a new file goes on from a line of the old one. */
function continuation({ lines }: LogDocument, [first]: readonly LogLine[]): LoggedContinuation[] {
  const parent = textAt(first?.value, "parentUuid");
  const isElsewhere = parent !== undefined && !lines.some(({ value }) => value.uuid === parent);
  return first !== undefined && isElsewhere ? [{ kind: "continuation", line: first.line }] : [];
}

function asTitle({ line, value }: LogLine): LoggedTitle[] {
  const text = titleText(value);
  return text === undefined ? [] : [{ kind: "title", line, text }];
}

/** The last line of a reply has its final usage. */
function sideCalls(lines: readonly LogLine[], thread: readonly LogLine[]): CallRecord[] {
  const inThread = new Set(thread.map(replyKey));
  const records = new Map<string, CallRecord>();
  for (const line of lines.filter(({ value }) => isReply(value))) {
    const record = inThread.has(replyKey(line)) ? undefined : callRecord(line.value);
    if (record !== undefined) records.set(replyKey(line), record);
  }
  return [...records.values()];
}

/** What every line says of the session. */
const ENVELOPE = ["userType", "cwd", "sessionId", "version", "gitBranch"] as const;

/** Writes a thread anew: one line for each message, each following the one before. */
export function writeThread(thread: readonly LogLine[], conversation: Conversation): string {
  const first = thread[0]?.value ?? {};
  const about = Object.fromEntries(
    ENVELOPE.flatMap((field) => (field in first ? [[field, first[field] ?? null]] : [])),
  );
  const timestamp = textAt(first, "timestamp") ?? "1970-01-01T00:00:00.000Z";
  const uuidOf = (index: number) => asUuid(pureHash(`${textAt(first, "sessionId") ?? ""} ${index}`));
  const model = thread.map(({ value }) => callRecord(value)?.model).findLast((name) => name !== undefined);
  const entries = writeEntries("anthropic-messages", conversation).filter(isJsonObject);
  return writeLines(
    entries.map((message, index): JsonObject => {
      const parentUuid: JsonValue = index === 0 ? null : uuidOf(index - 1);
      const isReply = message.role === "assistant";
      const said = isReply && model !== undefined ? { model, ...message } : message;
      const type = isReply ? "assistant" : "user";
      return { parentUuid, isSidechain: false, ...about, type, message: said, uuid: uuidOf(index), timestamp };
    }),
  );
}

/** A hash of 32 digits, spelled as a UUID. */
function asUuid(hash: string): string {
  return hash.replace(/^(.{8})(.{4})(.{4})(.{4})(.{12})$/, "$1-$2-$3-$4-$5");
}

import {
  type Block,
  type Conversation,
  isJsonObject,
  type JsonObject,
  type JsonValue,
  type Message,
  type Usage,
  usageFromInclusive,
} from "@longhaul/conversation/advanced";
import { defined } from "@longhaul/wire";
import { decodeSystem, decodeMessage as decodeWireMessage } from "../messages/decode.ts";
import { type DecodedEntry, decodeEntries, writeEntries, writeList } from "../messages/entries.ts";
import { type LogDocument, messageList } from "../reading/document.ts";
import { isJsonList, listAt, numberAt, objectAt, textAt, timeAt, tokensAt } from "../reading/fields.ts";
import type { LogReader } from "../reading/reader.ts";
import type { CallRecord, LoggedCall, LoggedCompaction, LoggedPrompt, LogReading } from "../reading/reading.ts";

/** The API history of a task in Roo Code, Zoo Code and Cline: Anthropic messages with metadata. XML tool calls stay text. */
export const roo: LogReader = {
  format: "roo",
  title: "Roo Code, Zoo Code or Cline API history (JSON)",
  wire: "anthropic-messages",
  defaultModel: "claude-sonnet-4-5",
  recognizes,
  read,
  write,
};

function read(document: LogDocument): LogReading | undefined {
  const { body, list } = messageList(document);
  const { entries, warnings } = decodeEntries(list, decodeMessage);
  if (entries.length === 0) return undefined;
  const { messages, calls, compactions } = transcribe(entries);
  return {
    format: "roo",
    conversation: { system: decodeSystem("anthropic-messages", textAt(body, "system_prompt")), tools: [], messages },
    calls,
    sideCalls: [],
    events: compactions,
    warnings,
  };
}

/** Unchanged messages keep the client's metadata. Others get a time, by which the client distinguishes a history from a request. */
function write(document: LogDocument, conversation: Conversation): string {
  const { entries } = decodeEntries(messageList(document).list, decodeMessage);
  const notes = new Map(entries.map(({ entry }) => [entry.content, entry]));
  const written = writeEntries("anthropic-messages", conversation).filter(isJsonObject);
  const list = written.map((entry, index) => {
    const { role: _role, content: _content, ...own } = notes.get(entry.content ?? null) ?? { ts: index };
    return { ...entry, ...own };
  });
  return writeList(document, list);
}

const OWN_FIELDS = ["ts", "modelInfo", "metrics", "condenseId", "condenseParent", "truncationId", "truncationParent"];
const OWN_TEXTS = ["<task>", "<environment_details>"];

/** A request body has a model, a history does not. */
function recognizes(document: LogDocument): boolean {
  const { body, list } = messageList(document);
  return body.model === undefined && list.some(isOwn);
}

function isOwn(entry: JsonValue): boolean {
  if (!isJsonObject(entry) || textAt(entry, "role") === undefined) return false;
  return OWN_FIELDS.some((field) => field in entry) || (entry.role === "user" && hasOwnText(entry));
}

function hasOwnText({ content }: JsonObject): boolean {
  const parts = isJsonList(content) ? content.map((part) => (isJsonObject(part) ? part.text : part)) : [content];
  const texts = parts.filter((part) => typeof part === "string");
  return texts.some((text) => OWN_TEXTS.some((start) => text.trimStart().startsWith(start)));
}

/** Converts entries to messages and calls. An entry that replaces condensed or truncated ones is a compaction, not a message. */
export function transcribe(entries: readonly DecodedEntry[]) {
  const compactionIds = new Set(entries.flatMap(({ entry }) => hiddenBy(entry)));
  const draft: Draft = {
    entries: [],
    replies: [],
    compactions: [],
    active: new Set(),
    thoughts: [],
    window: { from: 0 },
  };
  for (const entry of entries) {
    const id = compactionId(entry.entry);
    if (id !== undefined && compactionIds.has(id)) addCompaction(draft, entry, id);
    else if (isReasoning(entry.entry)) draft.thoughts.push(entry);
    else addMessage(draft, entry);
  }
  for (const thought of draft.thoughts) draft.entries.push(thought);
  const messages = draft.entries.map(({ message }) => message);
  return { messages, calls: draft.replies.map((reply) => asCall(draft, reply)), compactions: draft.compactions };
}

interface Draft {
  readonly entries: DecodedEntry[];
  readonly replies: { readonly reply: number; readonly prompt: LoggedPrompt }[];
  readonly compactions: LoggedCompaction[];
  readonly active: Set<string>;
  /** Reasoning whose reply follows. */
  readonly thoughts: DecodedEntry[];
  /** The part of the prompt before later messages. */
  window: Omit<LoggedPrompt, "to">;
}

function addMessage(draft: Draft, entry: DecodedEntry): void {
  const thoughts = draft.thoughts.splice(0);
  if (entry.message.role !== "assistant") {
    for (const each of [...thoughts, entry]) draft.entries.push(each);
    return;
  }
  const index = draft.entries.push({ ...entry, message: withThoughts(entry.message, thoughts) }) - 1;
  draft.replies.push({ reply: index, prompt: { ...draft.window, to: index } });
}

function withThoughts(message: Message, thoughts: readonly DecodedEntry[]): Message {
  if (thoughts.length === 0) return message;
  const { native: _, ...rest } = message;
  return { ...rest, blocks: [...thoughts.flatMap((thought) => thought.message.blocks), ...message.blocks] };
}

function addCompaction(draft: Draft, { line, message }: DecodedEntry, id: string): void {
  draft.active.add(id);
  const isHidden = ({ entry }: DecodedEntry) => hiddenBy(entry).some((parent) => draft.active.has(parent));
  const head = draft.entries.findIndex(isHidden);
  const keptFrom = draft.entries.findLastIndex(isHidden) + 1;
  const summary = message.blocks.flatMap((block) => (block.type === "text" ? block.text : [])).join("\n");
  draft.compactions.push({ kind: "compaction", line, at: draft.entries.length, keptFrom, summary });
  draft.window = { ...(head > 0 && { head }), summary: message, from: keptFrom };
}

function asCall({ entries }: Draft, { reply, prompt }: Draft["replies"][number]): LoggedCall {
  const entry = entries[reply]?.entry ?? {};
  const record = callRecord({ entry, before: entries[reply - 1]?.message, after: entries[reply + 1]?.message });
  return { ...record, prompt, reply };
}

function compactionId(entry: JsonObject): string | undefined {
  if (entry.isSummary === true) return textAt(entry, "condenseId");
  return entry.isTruncationMarker === true ? textAt(entry, "truncationId") : undefined;
}

function hiddenBy(entry: JsonObject): string[] {
  return [textAt(entry, "condenseParent"), textAt(entry, "truncationParent")].filter((id) => id !== undefined);
}

export function decodeMessage(entry: JsonObject): Message | undefined {
  if (isReasoning(entry)) return { role: "assistant", blocks: [decodeReasoning(entry)] };
  const { role, content } = entry;
  if (role === undefined || content === undefined) return undefined;
  const message = decodeWireMessage("anthropic-messages", { role, content });
  const thought = textAt(entry, "reasoning_content") ?? "";
  if (message === undefined) return undefined;
  const mark = entry.isSummary === true ? { extra: { ...message.extra, isSummary: true } } : {};
  if (thought === "") return { ...message, ...mark };
  return { role: message.role, blocks: [{ type: "thinking", text: thought }, ...message.blocks], ...mark };
}

/** Whether the entry is the reasoning of the next reply, in the form of OpenAI's Responses format. */
function isReasoning(entry: JsonObject): boolean {
  return entry.type === "reasoning" && entry.content === undefined;
}

function decodeReasoning(entry: JsonObject): Block {
  const texts = (listAt(entry, "summary") ?? []).map((part) => (isJsonObject(part) ? textAt(part, "text") : undefined));
  const signature = textAt(entry, "encrypted_content");
  const id = textAt(entry, "id");
  return defined({
    type: "thinking",
    text: textAt(entry, "text") ?? texts.filter((text) => text !== undefined).join("\n"),
    signature,
    id,
    vendor: "openai",
  });
}

/** Reads the record of a call. Cline stores it with the reply, Roo only in the environment details of the messages around it. */
export function callRecord({
  entry,
  before,
  after,
}: {
  entry: JsonObject;
  before: Message | undefined;
  after: Message | undefined;
}): CallRecord {
  const info = objectAt(entry, "modelInfo");
  const metrics = objectAt(entry, "metrics");
  const environment = environmentOf(before);
  const model = textAt(info, "id") ?? textAt(info, "modelId") ?? environment.match(MODEL)?.[1];
  const usage = metrics && decodeUsage(metrics);
  const costUsd = numberAt(metrics, "cost") ?? costBetween(environment, environmentOf(after));
  const timestampMs = timeAt(entry, "ts");
  return defined({ model, usage, costUsd, timestampMs, outcome: "finished" });
}

/** Decodes both of Cline's forms. In both, the input includes cached tokens. */
function decodeUsage(metrics: JsonObject): Usage | undefined {
  const tokens = objectAt(metrics, "tokens");
  if (tokens === undefined && numberAt(metrics, "inputTokens") === undefined) return undefined;
  return usageFromInclusive({
    inputTokens: tokensAt(tokens, "prompt") + tokensAt(metrics, "inputTokens"),
    cacheReadTokens: tokensAt(tokens, "cached") + tokensAt(metrics, "cacheReadTokens"),
    cacheWriteTokens: tokensAt(metrics, "cacheWriteTokens"),
    outputTokens: tokensAt(tokens, "completion") + tokensAt(metrics, "outputTokens"),
  });
}

const ENVIRONMENT = "<environment_details>";
const MODEL = /<model>([^<\n]+)<\/model>/;
/** Total cost of the task so far, in whole cents. */
const COST = /^# Current Cost\n\$(\d+(?:\.\d+)?)/m;
const CENTS = 100;

/** Returns the last environment details in a message. Earlier ones may be quoted from a file. */
function environmentOf(message: Message | undefined): string {
  const texts = (message?.blocks ?? []).flatMap((block) => (block.type === "text" ? block.text : []));
  const newest = texts.findLast((text) => text.includes(ENVIRONMENT)) ?? "";
  return newest.slice(Math.max(0, newest.lastIndexOf(ENVIRONMENT)));
}

function costBetween(before: string, after: string): number | undefined {
  const from = before.match(COST)?.[1];
  const to = after.match(COST)?.[1];
  if (from === undefined || to === undefined || Number(to) < Number(from)) return undefined;
  return (Math.round(Number(to) * CENTS) - Math.round(Number(from) * CENTS)) / CENTS;
}

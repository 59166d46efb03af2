import {
  type Conversation,
  isJsonObject,
  type JsonObject,
  type JsonValue,
  type Message,
  type Usage,
  usageFromInclusive,
} from "@longhaul/conversation/advanced";
import { defined } from "@longhaul/wire";
import { decodeMessage } from "../messages/decode.ts";
import { writeEntries, writeLines, writeList } from "../messages/entries.ts";
import { type LogDocument, type LogLine, messageList } from "../reading/document.ts";
import { isJsonList, listAt, numberAt, objectAt, textAt, timeAt, tokensAt } from "../reading/fields.ts";
import type { LogReader } from "../reading/reader.ts";
import type { CallRecord, LoggedCall, LoggedTitle, LogReading, LogWarning } from "../reading/reading.ts";

/** Gemini CLI's session log: one JSON document, or one object per line. */
export const geminiCli: LogReader = {
  format: "gemini-cli",
  title: "Gemini CLI session (JSON or JSONL)",
  wire: "gemini",
  defaultModel: "gemini-2.5-pro",
  recognizes: isSession,
  read,
  write,
};

function read(document: LogDocument): LogReading | undefined {
  const { records, rewound, warnings } = readRecords(document);
  const draft: Draft = { messages: [], calls: [] };
  for (const record of records) addRecord(draft, record);
  if (records.length === 0 || !isSession(document)) return undefined;
  return {
    format: "gemini-cli",
    conversation: { system: [], tools: [], messages: draft.messages },
    calls: draft.calls,
    sideCalls: rewound.filter(({ value }) => value.type === "gemini").map(({ value }) => callRecord(value)),
    events: document.lines.flatMap(asTitle),
    warnings,
  };
}

interface Draft {
  readonly messages: Message[];
  readonly calls: LoggedCall[];
}

/** Adds a record. Skips notes to the user, which the model does not see. */
function addRecord(draft: Draft, { value }: LogLine): void {
  const prompt = value.type === "user" ? decodeUser(value) : undefined;
  if (prompt !== undefined) draft.messages.push(prompt);
  if (value.type !== "gemini") return;
  const { message, results } = decodeReply(value);
  const reply = draft.messages.length;
  if (message !== undefined) draft.messages.push(message);
  draft.calls.push({ ...callRecord(value), prompt: { from: 0, to: reply }, ...(message !== undefined && { reply }) });
  if (results !== undefined) draft.messages.push(results);
}

function callRecord(record: JsonObject): CallRecord {
  const model = textAt(record, "model");
  const tokens = objectAt(record, "tokens");
  const timestampMs = timeAt(record, "timestamp");
  return defined({ model, usage: tokens && decodeUsage(tokens), timestampMs, outcome: "finished" });
}

/** The prompt count includes cached tokens; thinking is counted separately from the output. */
function decodeUsage(tokens: JsonObject): Usage {
  const thoughts = numberAt(tokens, "thoughts");
  return usageFromInclusive({
    inputTokens: tokensAt(tokens, "input") + tokensAt(tokens, "tool"),
    cacheReadTokens: tokensAt(tokens, "cached"),
    cacheWriteTokens: 0,
    outputTokens: tokensAt(tokens, "output") + (thoughts ?? 0),
    ...(thoughts !== undefined && { reasoningTokens: thoughts }),
  });
}

function asTitle({ line, value }: LogLine): LoggedTitle[] {
  const text = textAt(value, "summary") ?? textAt(objectAt(value, "$set"), "summary");
  return text === undefined ? [] : [{ kind: "title", line, text }];
}

/** Keeps the session's header. Tool results are written as user messages, as the model sees them. */
function write(document: LogDocument, conversation: Conversation): string {
  const { records } = readRecords(document);
  const timestamp = textAt(records[0]?.value, "timestamp") ?? "1970-01-01T00:00:00.000Z";
  const messages = writeEntries("gemini", conversation)
    .filter(isJsonObject)
    .map((content, index) => {
      const type = content.role === "model" ? "gemini" : "user";
      return { id: `message-${index + 1}`, timestamp, type, content: listAt(content, "parts") ?? [] };
    });
  if (document.value !== undefined) return writeList(document, messages);
  const [header] = document.lines.filter(({ value }) => "sessionId" in value && !("type" in value));
  return writeLines([...(header === undefined ? [] : [header.value]), ...messages]);
}

/** The final messages of a session, and those that were rewound. */
export interface SessionRecords {
  readonly records: readonly LogLine[];
  readonly rewound: readonly LogLine[];
  readonly warnings: readonly LogWarning[];
}

/** Reads the records of a session: one JSON document in older versions, one line per change in newer ones. */
export function readRecords(document: LogDocument): SessionRecords {
  if (document.value !== undefined) return readDocument(document);
  const draft: RecordDraft = { current: new Map(), rewound: [] };
  for (const line of document.lines) addLine(draft, line);
  return { records: [...draft.current.values()], rewound: draft.rewound, warnings: document.warnings };
}

function readDocument(document: LogDocument): SessionRecords {
  const records: LogLine[] = [];
  const warnings: LogWarning[] = [];
  for (const [index, value] of messageList(document).list.entries()) {
    const line = index + 1;
    if (isRecord(value)) records.push({ line, value });
    else warnings.push({ line, message: `entry ${line} was skipped: it is not a message of a session` });
  }
  return { records, rewound: [], warnings };
}

interface RecordDraft {
  readonly current: Map<string, LogLine>;
  readonly rewound: LogLine[];
}

function addLine(draft: RecordDraft, { line, value }: LogLine): void {
  const rewindTo = textAt(value, "$rewindTo");
  const change = objectAt(value, "$set");
  if (rewindTo !== undefined) rewind(draft, rewindTo);
  else if (change !== undefined) replaceAll(draft, line, listAt(change, "messages"));
  else if (isRecord(value)) draft.current.set(textAt(value, "id") ?? `line ${line}`, { line, value });
}

/** Removes a message and all after it, or all messages if the id is unknown. */
function rewind({ current, rewound }: RecordDraft, id: string): void {
  const ids = [...current.keys()];
  for (const key of ids.slice(Math.max(0, ids.indexOf(id)))) {
    const record = current.get(key);
    if (record !== undefined) rewound.push(record);
    current.delete(key);
  }
}

function replaceAll(draft: RecordDraft, line: number, messages: readonly JsonValue[] | undefined): void {
  if (messages === undefined) return;
  draft.current.clear();
  for (const [index, value] of messages.entries()) {
    if (isRecord(value)) draft.current.set(textAt(value, "id") ?? `line ${line}, message ${index}`, { line, value });
  }
}

const KINDS: ReadonlySet<unknown> = new Set(["user", "gemini", "info", "error", "warning"]);

function isRecord(value: JsonValue): value is JsonObject {
  return isJsonObject(value) && KINDS.has(value.type) && "content" in value && !("uuid" in value);
}

export function isSession(document: LogDocument): boolean {
  const { value, lines } = document;
  if (isJsonList(value)) return false;
  const isOwn = (line: JsonObject) =>
    textAt(line, "sessionId") !== undefined && textAt(line, "projectHash") !== undefined;
  if (value !== undefined)
    return isJsonObject(value) && (isOwn(value) || listAt(value, "messages")?.some(isReplyRecord) === true);
  return lines.some((line) => isOwn(line.value) || isReplyRecord(line.value));
}

function isReplyRecord(value: JsonValue): boolean {
  return isRecord(value) && value.type === "gemini";
}

export function decodeUser(record: JsonObject): Message | undefined {
  return decodeParts("user", partsOf(record.content));
}

/** Decodes a reply. Newer versions have its calls and thoughts among its parts, older ones beside them. */
export function decodeReply(record: JsonObject) {
  const isEmpty = (part: JsonValue) => isJsonObject(part) && part.text === "" && Object.keys(part).length === 1;
  const parts = partsOf(record.content).filter((part) => !isEmpty(part));
  const isWhole = parts.some(
    (part) => isJsonObject(part) && (part.functionCall !== undefined || part.thought === true),
  );
  const tools = (listAt(record, "toolCalls") ?? []).filter(isJsonObject);
  const whole = isWhole ? parts : [...thoughtsOf(record), ...parts, ...tools.map(callPart)];
  return {
    message: decodeParts("model", whole),
    results: decodeParts("user", tools.flatMap(resultParts)),
  };
}

function decodeParts(role: "user" | "model", parts: readonly JsonValue[]): Message | undefined {
  return parts.length === 0 ? undefined : decodeMessage("gemini", { role, parts });
}

/** Returns the parts of content that is a text, a part, or a list of both. */
function partsOf(content: JsonValue | undefined): readonly JsonValue[] {
  if (content === undefined || content === null) return [];
  if (isJsonList(content)) return content.map((part) => (typeof part === "string" ? { text: part } : part));
  return [typeof content === "string" ? { text: content } : content];
}

function thoughtsOf(record: JsonObject): JsonObject[] {
  return (listAt(record, "thoughts") ?? []).filter(isJsonObject).map((thought) => {
    const subject = textAt(thought, "subject") ?? "";
    const description = textAt(thought, "description") ?? "";
    return { text: subject === "" ? description : `**${subject}** ${description}`, thought: true };
  });
}

function callPart({ id, name, args }: JsonObject): JsonObject {
  return { functionCall: { ...(id !== undefined && { id }), name: name ?? "", args: args ?? {} } };
}

function resultParts({ id, name, result }: JsonObject): readonly JsonValue[] {
  if (result === undefined || result === null) return [];
  if (typeof result !== "string") return partsOf(result);
  return [{ functionResponse: { ...(id !== undefined && { id }), name: name ?? "", response: { output: result } } }];
}

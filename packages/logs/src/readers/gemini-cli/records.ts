import { isJsonObject, type JsonObject, type JsonValue } from "@longhaul/conversation";
import { type LogDocument, type LogLine, messageList } from "../../reading/document.ts";
import { isJsonList, listAt, objectAt, textAt } from "../../reading/fields.ts";
import type { LogWarning } from "../../reading/reading.ts";

/** The messages of a session as they stand at its end, and those that were taken back. */
export interface SessionRecords {
  readonly records: readonly LogLine[];
  readonly takenBack: readonly LogLine[];
  readonly warnings: readonly LogWarning[];
}

/** Reads the records of a session: one JSON document in older versions, a line for each change in newer ones. */
export function readRecords(document: LogDocument): SessionRecords {
  if (document.value !== undefined) return readDocument(document);
  const draft: Draft = { current: new Map(), takenBack: [] };
  for (const line of document.lines) addLine(draft, line);
  return { records: [...draft.current.values()], takenBack: draft.takenBack, warnings: document.warnings };
}

function readDocument(document: LogDocument): SessionRecords {
  const records: LogLine[] = [];
  const warnings: LogWarning[] = [];
  for (const [index, value] of messageList(document).list.entries()) {
    const line = index + 1;
    if (isRecord(value)) records.push({ line, value });
    else warnings.push({ line, message: `entry ${line} is no message of a session; it was skipped` });
  }
  return { records, takenBack: [], warnings };
}

interface Draft {
  /** By id; a message that is written again takes the place of the one before. */
  readonly current: Map<string, LogLine>;
  readonly takenBack: LogLine[];
}

function addLine(draft: Draft, { line, value }: LogLine): void {
  const rewindTo = textAt(value, "$rewindTo");
  const change = objectAt(value, "$set");
  if (rewindTo !== undefined) rewind(draft, rewindTo);
  else if (change !== undefined) replaceAll(draft, line, listAt(change, "messages"));
  else if (isRecord(value)) draft.current.set(textAt(value, "id") ?? `line ${line}`, { line, value });
}

/** Takes the message and all after it back; all of them where it is not known. */
function rewind({ current, takenBack }: Draft, id: string): void {
  const ids = [...current.keys()];
  for (const key of ids.slice(Math.max(0, ids.indexOf(id)))) {
    const record = current.get(key);
    if (record !== undefined) takenBack.push(record);
    current.delete(key);
  }
}

function replaceAll(draft: Draft, line: number, messages: readonly JsonValue[] | undefined): void {
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

/** Whether a document is such a session's. */
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

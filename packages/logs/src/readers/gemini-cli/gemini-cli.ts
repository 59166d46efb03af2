import {
  type Conversation,
  isJsonObject,
  type JsonObject,
  type Message,
  type Usage,
  usageFromInclusive,
} from "@longhaul/conversation";
import { writeEntries, writeLines, writeList } from "../../messages/write.ts";
import type { LogDocument, LogLine } from "../../reading/document.ts";
import { listAt, numberAt, objectAt, textAt, timeAt, tokensAt } from "../../reading/fields.ts";
import type { LogReader } from "../../reading/reader.ts";
import type { CallRecord, LoggedCall, LoggedTitle, LogReading } from "../../reading/reading.ts";
import { decodeReply, decodeUser } from "./contents.ts";
import { isSession, readRecords } from "./records.ts";

/** Gemini CLI's session log: one JSON document, or one object per line. */
export const geminiCli: LogReader = {
  format: "gemini-cli",
  title: "Gemini CLI session (JSON or JSONL)",
  wire: "gemini",
  typicalModel: "gemini-2.5-pro",
  recognizes: isSession,
  read,
  write,
};

function read(document: LogDocument): LogReading | undefined {
  const { records, takenBack, warnings } = readRecords(document);
  const draft: Draft = { messages: [], calls: [] };
  for (const record of records) addRecord(draft, record);
  if (records.length === 0 || !isSession(document)) return undefined;
  return {
    format: "gemini-cli",
    conversation: { system: [], tools: [], messages: draft.messages },
    calls: draft.calls,
    sideCalls: takenBack.filter(({ value }) => value.type === "gemini").map(({ value }) => callRecord(value)),
    events: document.lines.flatMap(asTitle),
    warnings,
  };
}

interface Draft {
  readonly messages: Message[];
  readonly calls: LoggedCall[];
}

/** Besides what was said there are notes to the user, which no model reads. */
function addRecord(draft: Draft, { value }: LogLine): void {
  const words = value.type === "user" ? decodeUser(value) : undefined;
  if (words !== undefined) draft.messages.push(words);
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
  return {
    ...(model !== undefined && { model }),
    ...(tokens !== undefined && { usage: decodeUsage(tokens) }),
    ...(timestampMs !== undefined && { timestampMs }),
    outcome: "finished",
  };
}

/** The prompt's figure contains what was cached; what the model thought is beside what it said. */
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

/** What is said of the session stays. Answers of tools are written as what they are to the model: the user's messages. */
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
  const [about] = document.lines.filter(({ value }) => "sessionId" in value && !("type" in value));
  return writeLines([...(about === undefined ? [] : [about.value]), ...messages]);
}

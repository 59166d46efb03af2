import type { Conversation, JsonObject, Message } from "@longhaul/conversation";
import { defined } from "@longhaul/wire";
import { writeLines } from "../../messages/entries.ts";
import { pathTo, type ThreadNode } from "../../messages/thread.ts";
import type { LogDocument, LogLine } from "../../reading/document.ts";
import { numberAt, objectAt, textAt, timeAt, tokensAt } from "../../reading/fields.ts";
import type { LogReader } from "../../reading/reader.ts";
import type { CallRecord, LogEvent, LoggedCall, LoggedPrompt, LogReading, LogWarning } from "../../reading/reading.ts";
import { decodeMessage, encodeMessage, summaryMessage } from "./message.ts";

/** pi's session log: one JSON object per line. Since version 2, the entries form a tree. */
export const pi: LogReader = {
  format: "pi",
  title: "pi session (JSONL)",
  wire: "anthropic-messages",
  defaultModel: "claude-sonnet-4-5",
  recognizes,
  read,
  write,
};

function read(document: LogDocument): LogReading | undefined {
  if (!recognizes(document)) return undefined;
  const entries = document.lines.filter(({ value }) => value.type !== "session");
  const path = pathTo(entries.map(asNode), entries.length - 1);
  const { messages, calls, events, warnings } = transcribe(entries.filter((_, index) => path.has(index)));
  return {
    format: "pi",
    conversation: { system: [], tools: [], messages },
    calls,
    sideCalls: entries
      .filter(({ value }, index) => !path.has(index) && objectAt(value, "message")?.role === "assistant")
      .map(({ value }) => callRecord(value)),
    events,
    warnings: [...document.warnings, ...warnings].sort((a, b) => a.line - b.line),
  };
}

/** Keeps the session header and writes the history as one branch. */
function write({ lines }: LogDocument, { messages }: Conversation): string {
  const header = lines.filter(({ value }) => value.type === "session").slice(0, 1);
  const timestamp = textAt(lines[0]?.value, "timestamp") ?? "1970-01-01T00:00:00.000Z";
  const entries = messages.flatMap(encodeMessage).map((message, index) => ({
    type: "message",
    id: `message-${index + 1}`,
    parentId: index === 0 ? null : `message-${index}`,
    timestamp,
    message,
  }));
  return writeLines([...header.map(({ value }) => value), ...entries]);
}

function recognizes({ lines }: LogDocument): boolean {
  return lines.some(isOwn);
}

function isOwn({ value }: LogLine): boolean {
  if (value.type === "session") return textAt(value, "cwd") !== undefined;
  return value.type === "message" && textAt(objectAt(value, "message"), "role") !== undefined;
}

/** Version 1 has no ids: each entry follows the one before. */
function asNode({ value }: LogLine): ThreadNode {
  const parent = value.parentId === null ? null : textAt(value, "parentId");
  return { id: textAt(value, "id"), parent };
}

export function transcribe(branch: readonly LogLine[]): Readonly<Draft> {
  const draft: Draft = { messages: [], marks: [], calls: [], events: [], warnings: [], window: { from: 0 } };
  for (const entry of branch) addEntry(draft, entry);
  return draft;
}

interface Draft {
  readonly messages: Message[];
  /** For each entry, the number of messages before it. */
  readonly marks: Mark[];
  readonly calls: LoggedCall[];
  readonly events: LogEvent[];
  readonly warnings: LogWarning[];
  /** The part of the prompt before later messages. */
  window: Pick<LoggedPrompt, "from" | "summary">;
}

interface Mark {
  readonly id: string | undefined;
  readonly line: number;
  readonly at: number;
}

function addEntry(draft: Draft, entry: LogLine): void {
  draft.marks.push({ id: textAt(entry.value, "id"), line: entry.line, at: draft.messages.length });
  switch (entry.value.type) {
    case "message":
      addMessage(draft, entry, objectAt(entry.value, "message") ?? {});
      break;
    // A message of an extension: the entry itself is the message.
    case "custom_message":
      addMessage(draft, entry, { ...entry.value, role: "custom" });
      break;
    case "branch_summary":
      draft.messages.push(summaryMessage(textAt(entry.value, "summary") ?? ""));
      break;
    case "compaction":
      addCompaction(draft, entry);
      break;
    case "session_info":
      addTitle(draft, entry);
      break;
    default:
  }
}

function addMessage(draft: Draft, entry: LogLine, value: JsonObject): void {
  if (value.excludeFromContext === true) return;
  const message = decodeMessage(value);
  if (message === undefined) {
    draft.warnings.push({
      line: entry.line,
      message: "the line was skipped: its message has an unknown role or no readable content",
    });
    return;
  }
  const index = draft.messages.length;
  // A call aborted before its first token leaves an empty message, which pi never sends again.
  const isEmpty = message.blocks.length === 0;
  if (!isEmpty) draft.messages.push(message);
  if (message.role !== "assistant") return;
  const prompt = { ...draft.window, to: index };
  draft.calls.push({ ...callRecord(entry.value), prompt, ...(!isEmpty && { reply: index }) });
}

function addCompaction(draft: Draft, { line, value }: LogLine): void {
  const at = draft.messages.length;
  const keptFrom = keptMark(draft, value)?.at ?? at;
  const summary = textAt(value, "summary") ?? "";
  const tokensBefore = numberAt(value, "tokensBefore");
  draft.events.push({
    kind: "compaction",
    line,
    at,
    keptFrom,
    summary,
    ...(tokensBefore !== undefined && { tokensBefore }),
  });
  draft.window = { from: keptFrom, summary: summaryMessage(summary) };
}

/** Version 1 counts entries from 0, including the header: entry `n` is line `n + 1`. */
function keptMark({ marks }: Draft, compaction: JsonObject): Mark | undefined {
  const id = textAt(compaction, "firstKeptEntryId");
  if (id !== undefined) return marks.find((mark) => mark.id === id);
  const index = numberAt(compaction, "firstKeptEntryIndex");
  return index === undefined ? undefined : marks.find((mark) => mark.line > index);
}

function addTitle(draft: Draft, { line, value }: LogLine): void {
  const text = textAt(value, "name");
  if (text !== undefined) draft.events.push({ kind: "title", line, text });
}

/** Reads the record of a call from its reply's entry. The message's time is the request's, the entry's time is the reply's. */
export function callRecord(entry: JsonObject): CallRecord {
  const message = objectAt(entry, "message") ?? {};
  const model = textAt(message, "model");
  const usage = objectAt(message, "usage");
  const costUsd = numberAt(objectAt(usage, "cost"), "total");
  const timestampMs = timeAt(entry, "timestamp");
  return defined({ model, usage: usage && decodeUsage(usage), costUsd, timestampMs, outcome: outcomeOf(message) });
}

/** pi excludes cached tokens from `input` for every vendor. */
function decodeUsage(usage: JsonObject) {
  return {
    inputTokens: tokensAt(usage, "input"),
    cacheReadTokens: tokensAt(usage, "cacheRead"),
    cacheWriteTokens: tokensAt(usage, "cacheWrite"),
    outputTokens: tokensAt(usage, "output"),
  };
}

function outcomeOf(message: JsonObject): CallRecord["outcome"] {
  if (message.stopReason === "aborted") return "aborted";
  return message.stopReason === "error" ? "failed" : "finished";
}

import type { Conversation } from "@longhaul/conversation";
import { pathTo, type ThreadNode } from "../../messages/thread.ts";
import { writeLines } from "../../messages/write.ts";
import type { LogDocument, LogLine } from "../../reading/document.ts";
import { objectAt, textAt } from "../../reading/fields.ts";
import type { LogReader } from "../../reading/reader.ts";
import type { CallRecord, LogReading } from "../../reading/reading.ts";
import { encodeMessage } from "./encode-message.ts";
import { callRecord, transcribe } from "./transcript.ts";

/** pi's session log: one JSON object per line; from the format's second version on they form a tree. */
export const pi: LogReader = {
  format: "pi",
  title: "pi session (JSONL)",
  wire: "anthropic-messages",
  typicalModel: "claude-sonnet-4-5",
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
    sideCalls: entries.filter((_, index) => !path.has(index)).flatMap(asSideCall),
    events,
    warnings: [...document.warnings, ...warnings].sort((a, b) => a.line - b.line),
  };
}

/** What the first line says of the session stays; the history is written as one branch. */
function write({ lines }: LogDocument, { messages }: Conversation): string {
  const about = lines.filter(({ value }) => value.type === "session").slice(0, 1);
  const timestamp = textAt(lines[0]?.value, "timestamp") ?? "1970-01-01T00:00:00.000Z";
  const said = messages.flatMap(encodeMessage).map((message, index) => ({
    type: "message",
    id: `message-${index + 1}`,
    parentId: index === 0 ? null : `message-${index}`,
    timestamp,
    message,
  }));
  return writeLines([...about.map(({ value }) => value), ...said]);
}

function recognizes({ lines }: LogDocument): boolean {
  return lines.some(isOwn);
}

function isOwn({ value }: LogLine): boolean {
  if (value.type === "session") return textAt(value, "cwd") !== undefined;
  return value.type === "message" && textAt(objectAt(value, "message"), "role") !== undefined;
}

/** The first version has no ids: each entry follows the one before. */
function asNode({ value }: LogLine): ThreadNode {
  const parent = value.parentId === null ? null : textAt(value, "parentId");
  return { id: textAt(value, "id"), parent };
}

function asSideCall({ value }: LogLine): CallRecord[] {
  return objectAt(value, "message")?.role === "assistant" ? [callRecord(value)] : [];
}

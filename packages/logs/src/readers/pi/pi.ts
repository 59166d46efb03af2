import type { LogDocument, LogLine } from "../../document.ts";
import { objectAt, textAt } from "../../fields.ts";
import type { LogReader } from "../../reader.ts";
import type { CallRecord, LogReading } from "../../reading.ts";
import { pathTo, type ThreadNode } from "../../thread.ts";
import { callRecord } from "./call.ts";
import { transcribe } from "./transcript.ts";

/** pi's session log: one JSON object per line; from the format's second version on they form a tree. */
export const pi: LogReader = { format: "pi", title: "pi session (JSONL)", recognizes, read };

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

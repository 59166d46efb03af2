import {
  type Conversation,
  isJsonObject,
  type JsonObject,
  type JsonValue,
  pureHash,
} from "@longhaul/conversation/advanced";
import { writeEntries, writeLines } from "../../messages/entries.ts";
import { pathTo } from "../../messages/thread.ts";
import type { LogDocument, LogLine } from "../../reading/document.ts";
import { objectAt, textAt } from "../../reading/fields.ts";
import type { LogReader } from "../../reading/reader.ts";
import type { CallRecord, LoggedContinuation, LoggedTitle, LogReading } from "../../reading/reading.ts";
import {
  answeredIds,
  callIds,
  callRecord,
  isBoundary,
  isEntry,
  isReply,
  isSummary,
  replyKey,
  titleText,
  userContent,
} from "./lines.ts";
import { transcribe } from "./transcript.ts";

/** Claude Code's session log: one JSON object per line, linked by `parentUuid`. */
export const claudeCode: LogReader = {
  format: "claude-code",
  title: "Claude Code session (JSONL)",
  wire: "anthropic-messages",
  defaultModel: "claude-sonnet-4-5",
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

/** A session that was resumed in a new file continues from a line of the old one. */
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

/** Session fields of every line. */
const ENVELOPE = ["userType", "cwd", "sessionId", "version", "gitBranch"] as const;

export function writeThread(thread: readonly LogLine[], conversation: Conversation): string {
  const first = thread[0]?.value ?? {};
  const envelope = Object.fromEntries(
    ENVELOPE.flatMap((field) => (field in first ? [[field, first[field] ?? null]] : [])),
  );
  const timestamp = textAt(first, "timestamp") ?? "1970-01-01T00:00:00.000Z";
  const uuidOf = (index: number) => {
    const hash = pureHash(`${textAt(first, "sessionId") ?? ""} ${index}`);
    return hash.replace(/^(.{8})(.{4})(.{4})(.{4})(.{12})$/, "$1-$2-$3-$4-$5");
  };
  const model = thread.map(({ value }) => callRecord(value)?.model).findLast((name) => name !== undefined);
  const entries = writeEntries("anthropic-messages", conversation).filter(isJsonObject);
  return writeLines(
    entries.map((message, index): JsonObject => {
      const parentUuid: JsonValue = index === 0 ? null : uuidOf(index - 1);
      const isReply = message.role === "assistant";
      const body = isReply && model !== undefined ? { model, ...message } : message;
      const type = isReply ? "assistant" : "user";
      return { parentUuid, isSidechain: false, ...envelope, type, message: body, uuid: uuidOf(index), timestamp };
    }),
  );
}

/** Returns the main thread in log order: the path back from the newest message, without sub-agents and abandoned branches. */
export function mainThread(lines: readonly LogLine[]): LogLine[] {
  const entries = distinct(withoutSidechains(lines.filter(isEntry)));
  const leaf = entries.findLastIndex(({ value }) => value.type === "assistant" || userContent(value) !== undefined);
  const nodes = entries.map(({ value }) => ({ id: textAt(value, "uuid"), parent: parentOf(value) }));
  const path = pathTo(nodes, leaf);
  const onPath = entries.filter((_, index) => path.has(index));
  const thread = new Set([...onPath, ...compactionsOf(onPath, entries)]);
  for (const line of parallelLines([...thread], entries)) thread.add(line);
  return entries.filter((line) => thread.has(line));
}

/** Removes sidechains, unless the log is a sub-agent's own and contains nothing else. */
function withoutSidechains(entries: readonly LogLine[]): readonly LogLine[] {
  const main = entries.filter(({ value }) => value.isSidechain !== true);
  return main.length > 0 ? main : entries;
}

/** Removes repeated lines, which a resumed session may contain. */
function distinct(entries: readonly LogLine[]): LogLine[] {
  const seen = new Set<string | undefined>();
  return entries.filter(({ value }) => {
    const id = textAt(value, "uuid");
    return !seen.has(id) && seen.add(id);
  });
}

/** A compaction has its parent in another field. In versions without that field, it follows the line before. */
function parentOf(value: JsonObject): string | null | undefined {
  const parent = textAt(value, "parentUuid");
  if (parent !== undefined) return parent;
  return isBoundary(value) || isSummary(value) ? textAt(value, "logicalParentUuid") : null;
}

/** Returns compactions that the path bypasses: if recent messages are kept, the thread continues from those. */
function compactionsOf(onPath: readonly LogLine[], entries: readonly LogLine[]): LogLine[] {
  const ids = new Set(onPath.map(({ value }) => textAt(value, "uuid")));
  const boundaries = entries.filter(
    ({ value }) => isBoundary(value) && keptOrFollowed(value).some((id) => ids.has(id)),
  );
  const boundaryIds = new Set(boundaries.map(({ value }) => textAt(value, "uuid")));
  const summaries = entries.filter(({ value }) => isSummary(value) && boundaryIds.has(textAt(value, "parentUuid")));
  return [...boundaries, ...summaries];
}

function keptOrFollowed(boundary: JsonObject): string[] {
  const kept = textAt(objectAt(objectAt(boundary, "compactMetadata"), "preservedSegment"), "tailUuid");
  return [kept, textAt(boundary, "logicalParentUuid")].filter((id) => id !== undefined);
}

/** Returns the lines beside the path: with parallel calls, each block is a line, and each result follows its call's line. */
function parallelLines(thread: readonly LogLine[], entries: readonly LogLine[]): LogLine[] {
  const keys = new Set(thread.filter(({ value }) => isReply(value)).map(replyKey));
  const replies = entries.filter((line) => isReply(line.value) && keys.has(replyKey(line)));
  const called = new Set(replies.flatMap(({ value }) => callIds(value)));
  const answered = new Set(thread.flatMap(({ value }) => answeredIds(value)));
  const results = entries.filter(({ value }) => answeredIds(value).some((id) => called.has(id) && !answered.has(id)));
  return [...replies, ...results];
}

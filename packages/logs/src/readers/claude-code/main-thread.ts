import type { JsonObject } from "@longhaul/conversation";
import { pathTo } from "../../messages/thread.ts";
import type { LogLine } from "../../reading/document.ts";
import { objectAt, textAt } from "../../reading/fields.ts";
import { answeredIds, callIds, isBoundary, isEntry, isReply, isSummary, replyKey, userContent } from "./lines.ts";

/**
 * The lines of the main thread, in the order of the log: the way back from the newest message, without sub-agents and without branches
 * that were given up, and across compactions.
 */
export function mainThread(lines: readonly LogLine[]): LogLine[] {
  const entries = distinct(withoutSidechains(lines.filter(isEntry)));
  const leaf = entries.findLastIndex(({ value }) => value.type === "assistant" || userContent(value) !== undefined);
  const path = pathTo(entries.map(asNode), leaf);
  const onPath = entries.filter((_, index) => path.has(index));
  const thread = new Set([...onPath, ...compactionsOf(onPath, entries)]);
  for (const line of parallelLines([...thread], entries)) thread.add(line);
  return entries.filter((line) => thread.has(line));
}

/** The log of a sub-agent itself holds nothing but a sidechain; then that is the thread. */
function withoutSidechains(entries: readonly LogLine[]): readonly LogLine[] {
  const main = entries.filter(({ value }) => value.isSidechain !== true);
  return main.length > 0 ? main : entries;
}

/** A resumed session may repeat lines that were already written. */
function distinct(entries: readonly LogLine[]): LogLine[] {
  const seen = new Set<string | undefined>();
  return entries.filter(({ value }) => {
    const id = textAt(value, "uuid");
    return !seen.has(id) && seen.add(id);
  });
}

function asNode({ value }: LogLine) {
  return { id: textAt(value, "uuid"), parent: parentOf(value) };
}

/** A compaction cuts the thread and names what it follows apart; versions that don't name it follow the line before. */
function parentOf(value: JsonObject): string | null | undefined {
  const parent = textAt(value, "parentUuid");
  if (parent !== undefined) return parent;
  return isBoundary(value) || isSummary(value) ? textAt(value, "logicalParentUuid") : null;
}

/** After a compaction that keeps recent messages the thread goes on from those, past the boundary and the summary. */
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

/**
 * The lines that a single way back misses: with parallel calls each block of a reply is a line of its own, and each result hangs on the
 * line of its call.
 */
function parallelLines(thread: readonly LogLine[], entries: readonly LogLine[]): LogLine[] {
  const keys = new Set(thread.filter(({ value }) => isReply(value)).map(replyKey));
  const replies = entries.filter((line) => isReply(line.value) && keys.has(replyKey(line)));
  const called = new Set(replies.flatMap(({ value }) => callIds(value)));
  const answered = new Set(thread.flatMap(({ value }) => answeredIds(value)));
  const results = entries.filter(({ value }) => answeredIds(value).some((id) => called.has(id) && !answered.has(id)));
  return [...replies, ...results];
}

import type { JsonValue } from "@longhaul/conversation";
import { decodeMessage } from "../../messages/decode.ts";
import type { LogLine } from "../../reading/document.ts";
import { isJsonList, numberAt, objectAt, textAt } from "../../reading/fields.ts";
import type { CallRecord, LoggedCall, LoggedCompaction, LoggedPrompt, LogWarning } from "../../reading/reading.ts";
import { blockKey, callRecord, isBoundary, isReply, isSummary, replyBlocks, replyKey, userContent } from "./lines.ts";

const WIRE = "anthropic-messages";

/** Joins the lines of a thread into messages and calls. A reply takes the position of its first line. */
export function transcribe(thread: readonly LogLine[]) {
  const draft: Draft = {
    messages: [],
    places: new Map(),
    replies: new Map(),
    compactions: [],
    warnings: [],
    window: { from: 0 },
  };
  for (const line of thread) addLine(draft, line);
  return {
    messages: draft.messages.flatMap((message) => decodeMessage(WIRE, { ...message }) ?? []),
    calls: [...draft.replies.values()].flatMap(asCall),
    compactions: draft.compactions,
    warnings: draft.warnings,
  };
}

interface Draft {
  readonly messages: DraftMessage[];
  readonly places: Map<string | undefined, number>;
  readonly replies: Map<string, DraftReply>;
  readonly compactions: LoggedCompaction[];
  readonly warnings: LogWarning[];
  /** The part of the prompt before later messages. */
  window: Pick<LoggedPrompt, "from" | "summary">;
}

interface DraftMessage {
  readonly role: "user" | "assistant";
  readonly content: JsonValue;
}

interface DraftReply {
  readonly prompt: LoggedPrompt;
  readonly blocks: JsonValue[];
  readonly keys: Set<string>;
  index?: number;
  record: CallRecord | undefined;
}

function addLine(draft: Draft, line: LogLine): void {
  if (isBoundary(line.value)) addBoundary(draft, line);
  else if (isSummary(line.value)) addSummary(draft, line);
  else if (isReply(line.value)) addReply(draft, line);
  else addUser(draft, line);
}

function addUser(draft: Draft, line: LogLine): void {
  const content = userContent(line.value);
  if (content === "" || (isJsonList(content) && content.length === 0)) return;
  if (typeof content === "string" || isJsonList(content)) addMessage(draft, line, { role: "user", content });
  else if (line.value.type === "user" && line.value.isVisibleInTranscriptOnly !== true) warn(draft, line);
}

function addReply(draft: Draft, line: LogLine): void {
  const blocks = replyBlocks(line.value);
  if (blocks === undefined) {
    warn(draft, line);
    return;
  }
  const reply = replyOf(draft, replyKey(line));
  reply.record = callRecord(line.value) ?? reply.record;
  for (const block of blocks) addBlock(reply, block);
  if (reply.index !== undefined) draft.places.set(textAt(line.value, "uuid"), reply.index);
  else if (blocks.length > 0) reply.index = addMessage(draft, line, { role: "assistant", content: reply.blocks });
}

/** Adds a block unless an earlier line contains it. In some versions, later lines repeat earlier blocks. */
function addBlock({ blocks, keys }: DraftReply, block: JsonValue): void {
  const key = blockKey(block);
  if (key !== undefined && keys.has(key)) return;
  if (key !== undefined) keys.add(key);
  blocks.push(block);
}

function replyOf(draft: Draft, key: string): DraftReply {
  const known = draft.replies.get(key);
  if (known !== undefined) return known;
  const prompt = { ...draft.window, to: draft.messages.length };
  const reply: DraftReply = { prompt, blocks: [], keys: new Set(), record: undefined };
  draft.replies.set(key, reply);
  return reply;
}

function addMessage(draft: Draft, line: LogLine, message: DraftMessage): number {
  const index = draft.messages.push(message) - 1;
  draft.places.set(textAt(line.value, "uuid"), index);
  return index;
}

/** The boundary names the first line that is kept. Without one, nothing before the boundary is kept. */
function addBoundary(draft: Draft, line: LogLine): void {
  const metadata = objectAt(line.value, "compactMetadata");
  const compaction = newCompaction(draft, line);
  const keptFrom = draft.places.get(textAt(objectAt(metadata, "preservedSegment"), "headUuid")) ?? compaction.keptFrom;
  const tokensBefore = numberAt(metadata, "preTokens");
  draft.compactions.push({ ...compaction, keptFrom, ...(tokensBefore !== undefined && { tokensBefore }) });
  draft.window = { from: keptFrom };
}

function addSummary(draft: Draft, line: LogLine): void {
  const content = objectAt(line.value, "message")?.content ?? "";
  const summary = decodeMessage(WIRE, { role: "user", content });
  if (summary === undefined) {
    warn(draft, line);
    return;
  }
  const compaction = announcedCompaction(draft) ?? newCompaction(draft, line);
  const texts = summary.blocks.flatMap((block) => (block.type === "text" ? block.text : []));
  draft.compactions.push({ ...compaction, summary: texts.join("\n") });
  draft.window = { from: compaction.keptFrom, summary };
}

/** Removes and returns the boundary that precedes a summary, which completes it. */
function announcedCompaction({ compactions, messages }: Draft): LoggedCompaction | undefined {
  const last = compactions.at(-1);
  return last?.at === messages.length && last.summary === "" ? compactions.pop() : undefined;
}

function newCompaction({ messages }: Draft, { line }: LogLine): LoggedCompaction {
  return { kind: "compaction", line, at: messages.length, keptFrom: messages.length, summary: "" };
}

function asCall({ prompt, record, index }: DraftReply): LoggedCall[] {
  if (record === undefined) return [];
  return [{ ...record, prompt, ...(index !== undefined && { reply: index }) }];
}

function warn(draft: Draft, { line }: LogLine): void {
  draft.warnings.push({ line, message: "the line was skipped: its message has no readable content" });
}

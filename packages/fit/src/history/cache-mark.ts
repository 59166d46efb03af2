import type { Block, Message, WireId } from "@longhaul/conversation";
import { type CacheMarks, codecOf, findCodec } from "@longhaul/wire";
import type { History } from "./history.ts";
import { marksIn } from "./known-messages.ts";
import type { Rendering, Written } from "./parts.ts";

/** An entry's JSON and the position at which a cache mark can be inserted. */
export interface Markable {
  readonly json: string;
  readonly markAt?: number;
}

/** Writes a message so that a mark can be put on its last block. */
export function writeMarkable(message: Message, wire: WireId, write: (message: Message) => string): Markable {
  const json = write(message);
  const last = message.blocks.at(-1);
  const { cacheMarks } = codecOf(wire).traits;
  const marked = last && markedBlock(last);
  if (cacheMarks === undefined || marked === undefined) return { json };
  const { native: _, ...rest } = message;
  const long = write({ ...rest, blocks: message.blocks.with(-1, marked) });
  const mark = writeMark(cacheMarks);
  const markAt = long.lastIndexOf(mark);
  return markAt === -1 ? { json } : { json: long.slice(0, markAt) + long.slice(markAt + mark.length), markAt };
}

/** Writes a mark as the last field of a block. */
function writeMark({ field, mark, hourMark }: CacheMarks, isLong = false): string {
  return `,"${field}":${JSON.stringify(isLong ? hourMark : mark)}`;
}

export function withoutMarks(message: Message): Message {
  if (marksIn(message.blocks).length === 0) return message;
  const { native: _, ...rest } = message;
  return { ...rest, blocks: message.blocks.map(unmarkedBlock) };
}

function unmarkedBlock(block: Block): Block {
  if (block.type === "opaque" || marksIn([block]).length === 0) return block;
  if (block.type === "tool-result") {
    const { native: _native, cache: _cache, ...rest } = block;
    return { ...rest, content: block.content.map(unmarkedPart) };
  }
  return unmarkedPart(block);
}

function unmarkedPart<T extends Block>(part: T): T;
function unmarkedPart(part: { readonly native?: unknown; readonly cache?: unknown; readonly type: string }): object {
  if (part.type === "opaque") return part;
  const { native: _native, cache: _cache, ...rest } = part;
  return rest;
}

/** Adds a mark to a block. Returns undefined if it has one already or cannot have one. */
function markedBlock(block: Block): Block | undefined {
  if (marksIn([block]).length > 0 || block.type === "opaque" || block.type === "compaction") return undefined;
  if (block.type === "thinking" || block.type === "redacted-thinking") return undefined;
  const { native: _, ...rest } = block;
  return { ...rest, cache: {} };
}

/** Returns the marks of rewritten entries: the client's current ones, and one of ours on the last entry. */
export function marksFor(history: History, rendering: Rendering): (part: Written) => string | undefined {
  const ours = markFor(history, rendering);
  const last = rendering.parts.findLast(({ kind }) => kind === "written");
  return (part) => clientMark(history, part) ?? (part === last ? ours : undefined);
}

function clientMark(history: History, { raw }: Written): string | undefined {
  const message = raw === undefined ? undefined : history.messages[raw];
  const marks = marksOf(history);
  if (marks === undefined || message === undefined || message.cacheMarks === 0) return undefined;
  return writeMark(marks, message.isCachedLong);
}

/** Returns the mark syntax of the history's format. */
function marksOf({ head }: History): CacheMarks | undefined {
  return findCodec(head.native?.wire)?.traits.cacheMarks;
}

/**
 * Returns the mark for the last rewritten entry, so that the condensed prefix stays cached whatever follows. Undefined if the client does
 * not cache, or uses all marks itself. A mark for an hour must not follow a shorter one.
 */
export function markFor(history: History, rendering: Rendering): string | undefined {
  const marks = marksOf(history);
  if (marks === undefined) return undefined;
  const { head, messages } = history;
  const { parts, messages: count } = rendering;
  const { system, tools } = head.conversation;
  const isSent = (index: number) =>
    index >= count || parts.some((part) => part.kind === "kept" && part.from <= index && index < part.to);
  const sent = messages.filter((message, index) => message.cacheMarks > 0 && isSent(index));
  const written = parts.filter((part) => part.kind === "written" && clientMark(history, part) !== undefined);
  const used = [
    marksIn(system).length,
    tools.filter(({ cache }) => cache !== undefined).length,
    head.extra?.[marks.field] === undefined ? 0 : 1,
    ...sent.map(({ cacheMarks }) => cacheMarks),
    written.length,
  ].reduce((sum, each) => sum + each, 0);
  const isCaching = used > 0 || messages.some(({ cacheMarks }) => cacheMarks > 0);
  if (!isCaching || used >= marks.max) return undefined;
  return writeMark(
    marks,
    sent.some(({ isCachedLong }) => isCachedLong),
  );
}

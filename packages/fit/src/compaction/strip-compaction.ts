import {
  type Block,
  type CompactionBlock,
  isJsonArray,
  isJsonObject,
  type JsonObject,
  type JsonValue,
  type Native,
  type Reply,
  type StopReason,
  type StreamEvent,
} from "@longhaul/conversation/advanced";
import type { Step, Stepper } from "@longhaul/wire";

/**
 * Removes compaction blocks from a reply, in its blocks and in its native form, for clients that cannot handle them. `onCompaction` gets
 * each one. The usage stays the vendor's own. A reply without blocks is returned as the identical object.
 */
export function stripReply(reply: Reply, onCompaction: OnCompaction): Reply {
  const found = reply.blocks.filter(isCompaction);
  if (found.length === 0) return reply;
  for (const block of found) onCompaction(noteOf(block));
  const blocks = reply.blocks.filter((block) => !isCompaction(block));
  if (!blocks.some(saysSomething) && meantToAnswer(reply.stopReason)) onCompaction({ kind: "empty-answer" });
  const { native, ...rest } = reply;
  return { ...rest, blocks, ...(native === undefined ? {} : { native: stripNative(native) }) };
}

export function isCompaction(block: Block): block is CompactionBlock {
  return block.type === "compaction";
}

/** The fields that contain such blocks, in all formats that have them. */
const LISTS = ["content", "output"];

function stripNative({ wire, value }: Native): Native {
  if (!isJsonObject(value)) return { wire, value };
  const stripped = Object.entries(value).map(([name, field]) => [
    name,
    LISTS.includes(name) ? stripList(field) : field,
  ]);
  const fields: JsonObject = Object.fromEntries(stripped);
  return { wire, value: fields };
}

function stripList(list: JsonValue): JsonValue {
  if (!isJsonArray(list)) return list;
  return list.filter((entry) => !isJsonObject(entry) || entry.type !== "compaction");
}

/** The outcome of a compaction that was removed from an answer. */
export type CompactionNote =
  /** Replaces all messages of the request that brought it. */
  | { readonly kind: "compacted"; readonly block: CompactionBlock }
  /** The vendor tried and returned an empty block, which replaces nothing. */
  | { readonly kind: "failed" }
  /** The model compacted and then wrote nothing, because its summary lacked the question. */
  | { readonly kind: "empty-answer" };

/** Called for each complete compaction block, then for an answer that stayed empty after one. */
export type OnCompaction = (note: CompactionNote) => void;

export function noteOf(block: CompactionBlock): CompactionNote {
  const isWhole = Boolean(block.text) || block.encrypted !== undefined;
  return isWhole ? { kind: "compacted", block } : { kind: "failed" };
}

/** Returns whether a block says something to the client: text, a call, or an unknown block. */
function saysSomething(block: Block): boolean {
  if (block.type === "text") return block.text.trim() !== "";
  return block.type !== "thinking" && block.type !== "redacted-thinking" && block.type !== "compaction";
}

/** Returns whether a model that wrote nothing intended to answer. One that was cut off or refused did not. */
function meantToAnswer(stopReason: StopReason): boolean {
  return stopReason === "end";
}

/**
 * Removes compaction blocks from a stream for clients that cannot handle them, and renumbers the blocks after them. `onCompaction` gets
 * each one as soon as it is complete. Events of a stream without any are the identical objects.
 */
export function stripStream(onCompaction: OnCompaction): Stepper<StreamEvent, StreamEvent, StripState> {
  return {
    start: () => ({ numbers: new Map(), removed: [], hasSpoken: false }),
    step: (state, event) => stripEvent(state, event, onCompaction),
    end: () => [],
  };
}

export interface StripState {
  /** The client's block numbers by the upstream's. */
  readonly numbers: ReadonlyMap<number, number>;
  /** The numbers of the removed blocks. */
  readonly removed: readonly number[];
  /** Whether the model has written anything but thinking. */
  readonly hasSpoken: boolean;
}

type Result = Step<StripState, StreamEvent>;

type BlockEvent = Extract<StreamEvent, { readonly index: number } | { readonly type: "native" }>;

function stripEvent(state: StripState, event: StreamEvent, onCompaction: OnCompaction): Result {
  switch (event.type) {
    case "reply-end": {
      const isEmpty = state.removed.length > 0 && !state.hasSpoken && meantToAnswer(event.stopReason);
      if (isEmpty) onCompaction({ kind: "empty-answer" });
      return [state, [event]];
    }
    case "reply-start":
    case "error":
    case "ping":
      return [state, [event]];
    case "block":
      if (!isCompaction(event.block)) return renumber({ ...state, hasSpoken: speaks(state, event) }, event);
      onCompaction(noteOf(event.block));
      return [{ ...state, removed: [...state.removed, event.index] }, []];
    case "native":
      return stripNativeEvent(state, event);
    default:
      return renumber(speaks(state, event) === state.hasSpoken ? state : { ...state, hasSpoken: true }, event);
  }
}

function speaks({ hasSpoken }: StripState, event: StreamEvent): boolean {
  if (hasSpoken || event.type === "tool-call-start") return true;
  if (event.type === "text-delta") return event.text.trim() !== "";
  return event.type === "block" && saysSomething(event.block);
}

/** An event for a block that has not started belongs to one that arrives whole, and may be a compaction. */
function stripNativeEvent(state: StripState, event: Extract<StreamEvent, { type: "native" }>): Result {
  if (event.index === undefined) return [state, [event]];
  const number = state.numbers.get(event.index);
  return [state, number === undefined ? [] : [numbered(event, number)]];
}

function renumber(state: StripState, event: Extract<StreamEvent, { readonly index: number }>): Result {
  const known = state.numbers.get(event.index);
  if (known !== undefined) return [state, [numbered(event, known)]];
  const number = event.index - state.removed.filter((index) => index < event.index).length;
  return [{ ...state, numbers: new Map(state.numbers).set(event.index, number) }, [numbered(event, number)]];
}

function numbered(event: BlockEvent, index: number): StreamEvent {
  return event.index === index ? event : { ...event, index };
}

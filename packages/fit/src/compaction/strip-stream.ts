import type { StreamEvent } from "@longhaul/conversation";
import type { Step, Stepper } from "@longhaul/wire";
import { meantToAnswer, noteOf, type OnCompaction, saysSomething } from "./compaction-note.ts";
import { isCompaction } from "./strip-reply.ts";

/**
 * A stream for a client that cannot hold compaction blocks: they are gone, the blocks after them close up, and `onCompaction` is told of
 * each as soon as it is complete. Events of a stream without any are the identical objects.
 */
export function stripStream(onCompaction: OnCompaction): Stepper<StreamEvent, StreamEvent, StripState> {
  return {
    start: () => ({ numbers: new Map(), removed: [], hasSpoken: false }),
    step: (state, event) => stripEvent(state, event, onCompaction),
    end: () => [],
  };
}

/** What is known of a stream so far. */
export interface StripState {
  /** The number that each block has for the client, by the number it came with. */
  readonly numbers: ReadonlyMap<number, number>;
  /** The numbers of the blocks that were taken out. */
  readonly removed: readonly number[];
  /** Whether anything was said besides thinking. */
  readonly hasSpoken: boolean;
}

type Result = Step<StripState, StreamEvent>;

/** What may be about one block. */
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
      return stripNative(state, event);
    default:
      return renumber(speaks(state, event) === state.hasSpoken ? state : { ...state, hasSpoken: true }, event);
  }
}

function speaks({ hasSpoken }: StripState, event: StreamEvent): boolean {
  if (hasSpoken || event.type === "tool-call-start") return true;
  if (event.type === "text-delta") return event.text.trim() !== "";
  return event.type === "block" && saysSomething(event.block);
}

/** What is said of a block that has not begun belongs to one that comes whole, and may be a compaction. */
function stripNative(state: StripState, event: Extract<StreamEvent, { type: "native" }>): Result {
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

import { fingerprint, type Hash, isUserAuthored, type Message, toolPairs } from "@longhaul/conversation/advanced";
import type { TokenCounter } from "@longhaul/models";
import type { Limits } from "../contract/view.ts";
import { type Draft, keptSlot, makeDraft, rawStart, type Slot } from "../edits/draft.ts";

/** A user pins a message by writing this into it. */
export const PIN_MARKER = "#longhaul-pin";

/** Pinned messages take up at most this share of the target; the newest come first. */
const MAX_SHARE = 0.5;

/** The messages of a conversation that every condensation keeps whole. */
export interface PinnedMessages {
  /** Raw indexes, in order. */
  readonly indexes: readonly number[];
  readonly tokens: number;
  /** Pinned messages that there is no room for. */
  readonly surplus: number;
}

interface PinContext {
  /** Fingerprints of pinned messages. */
  readonly pins?: readonly string[] | undefined;
  readonly counter: TokenCounter;
  readonly limits: Limits;
  readonly hash: Hash;
}

/** Finds the pinned messages: by fingerprint, or by the marker in the user's text. A tool call and its results are pinned together. */
export function pinnedMessages(messages: readonly Message[], context: PinContext): PinnedMessages {
  const { pins = [], counter, limits, hash } = context;
  const isPinned = (message: Message) =>
    hasMarker(message) || (pins.length > 0 && pins.includes(fingerprint(message, hash)));
  const found = [...messages.keys()].filter((index) => isPinned(messages[index] ?? NOTHING));
  if (found.length === 0) return { indexes: [], tokens: 0, surplus: 0 };
  const groupOf = pairedMessages(messages);
  const kept = new Set<number>();
  let tokens = 0;
  let surplus = 0;
  for (const index of found.toReversed()) {
    const added = groupOf(index).filter((each) => !kept.has(each));
    const size = added.reduce((sum, each) => sum + counter.countMessage(messages[each] ?? NOTHING), 0);
    if (tokens + size > limits.targetTokens * MAX_SHARE) surplus += 1;
    else {
      tokens += size;
      for (const each of added) kept.add(each);
    }
  }
  return { indexes: [...kept].sort((a, b) => a - b), tokens, surplus };
}

const NOTHING: Message = { role: "user", blocks: [] };

function hasMarker(message: Message): boolean {
  return (
    isUserAuthored(message) && message.blocks.some((block) => block.type === "text" && block.text.includes(PIN_MARKER))
  );
}

/** Returns a function that finds the messages that must be sent with a message: those of its tool calls and results. */
function pairedMessages(messages: readonly Message[]): (index: number) => number[] {
  const { pairs } = toolPairs(messages);
  return (index) => {
    const group = new Set([index]);
    for (let size = 0; size < group.size; ) {
      size = group.size;
      for (const { call, result } of pairs) {
        if (result === undefined || (!group.has(call.message) && !group.has(result.message))) continue;
        group.add(call.message).add(result.message);
      }
    }
    return [...group];
  };
}

/** Lowers limits by the size of pinned messages, which are restored after the last pass. */
export function withRoomForPins(limits: Limits, { tokens }: PinnedMessages): Limits {
  if (tokens === 0) return limits;
  const { targetTokens, budgetTokens, limitTokens } = limits;
  return {
    ...limits,
    targetTokens: targetTokens - tokens,
    budgetTokens: budgetTokens - tokens,
    ...(limitTokens !== undefined && { limitTokens: limitTokens - tokens }),
  };
}

/** Restores pinned messages unchanged, each after the summary of the messages around it. */
export function withPins(draft: Draft, { indexes }: PinnedMessages): Draft {
  if (indexes.length === 0) return draft;
  const slots = indexes.reduce((restored, index) => withPin(restored, index, draft.raw.messages[index]), draft.slots);
  return slots.every((slot, index) => slot === draft.slots[index]) ? draft : makeDraft(draft.raw, slots);
}

function withPin(slots: readonly Slot[], index: number, message: Message | undefined): readonly Slot[] {
  if (message === undefined) return slots;
  const at = slots.findIndex((slot) => slot.kind === "kept" && slot.index === index);
  const found = slots[at];
  if (found?.kind === "kept") {
    return found.changes.length === 0 ? slots : slots.with(at, keptSlot(message, index, []));
  }
  const next = slots.findIndex((slot) => rawStart(slot) > index);
  return slots.toSpliced(next === -1 ? slots.length : next, 0, keptSlot(message, index, []));
}

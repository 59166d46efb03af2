import { type AppliedPass, type Draft, type Edit, rawEnd, rawStart, type Slot } from "@longhaul/condense";
import { blocksOf, type Cause, type Pair, type Placed } from "./blocks.ts";

/** The blocks of a conversation beside what was made of them. */
export function pairSlots({ raw, slots }: Pick<Draft, "raw" | "slots">, trace: Pick<Trace, "causeOf">): Pair[] {
  const pairs = blocksOf({ ...raw, messages: [] }).map((placed): Pair => ({ before: placed, after: placed }));
  let next = 0;
  const addGone = (to: number, standIn?: Placed) => {
    for (; next < to; next++) {
      const cause = causeOf(trace, next);
      const { role = "user", blocks = [] } = raw.messages[next] ?? {};
      for (const block of blocks) {
        pairs.push({ before: { message: next, role, block }, ...(standIn && { standIn }), ...cause });
      }
    }
  };
  for (const [position, slot] of slots.entries()) {
    addGone(rawStart(slot));
    const present = blocksIn(slot, position);
    if (slot.kind === "made") {
      addGone(slot.to, present[0]);
      pairs.push(...present.map((after) => ({ after })));
    } else {
      pairs.push(...keptPairs(slot, { present, raw, trace }));
      next = rawEnd(slot);
    }
  }
  addGone(raw.messages.length);
  return pairs;
}

function blocksIn({ message }: Slot, position: number): Placed[] {
  return message.blocks.map((block) => ({ message: position, role: message.role, block }));
}

interface Kept {
  readonly present: readonly Placed[];
  readonly raw: Draft["raw"];
  readonly trace: Pick<Trace, "causeOf">;
}

function keptPairs(slot: Extract<Slot, { kind: "kept" }>, { present, raw, trace }: Kept): Pair[] {
  const { index, sources } = slot;
  const { role, blocks } = raw.messages[index] ?? slot.message;
  return blocks.map((block, source) => {
    const after = present[sources.indexOf(source)];
    return { before: { message: index, role, block }, ...(after && { after }), ...causeOf(trace, index, source) };
  });
}

function causeOf(trace: Pick<Trace, "causeOf">, message: number, block?: number): { readonly cause?: Cause } {
  const cause = trace.causeOf(message, block);
  return cause === undefined ? {} : { cause };
}

/** Remembers which pass did what to which raw block. */
export interface Trace {
  /** Takes a pass whose edits stand. A strategy that begins with nothing changed makes all before it forgotten. */
  take(applied: AppliedPass): void;
  /** What was last done to a block that is still there in part, or to its message as a whole. */
  causeOf(message: number, block?: number): Cause | undefined;
}

/** Opens an empty one. */
export function makeTrace(): Trace {
  const causes = new Map<string, Cause>();
  return {
    take: ({ pass, edits, before }) => {
      if (before.conversation === before.raw) causes.clear();
      for (const edit of edits) {
        const cause = { reason: edit.reason, pass: pass.name };
        for (const key of keysOf(edit, before)) causes.set(key, cause);
      }
    },
    causeOf: (message, block) => causes.get(keyOf(message, block)),
  };
}

function keysOf(edit: Edit, { slots }: Draft): string[] {
  if (edit.kind === "replace") {
    return slots.slice(edit.from, edit.to).flatMap((slot) => {
      const [from, to] = [rawStart(slot), rawEnd(slot)];
      return Array.from({ length: to - from }, (_, offset) => keyOf(from + offset));
    });
  }
  const slot = slots[edit.at.message];
  return slot?.kind === "kept" ? [keyOf(slot.index, slot.sources[edit.at.block])] : [];
}

function keyOf(message: number, block?: number): string {
  return block === undefined ? `${message}` : `${message}/${block}`;
}

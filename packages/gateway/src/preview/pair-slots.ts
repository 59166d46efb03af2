import { type Draft, rawEnd, rawStart, type Slot } from "@longhaul/condense";
import { blocksOf, type Cause, type Pair, type Placed } from "./pair.ts";
import type { Trace } from "./trace.ts";

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

import { type AppliedPass, type Draft, type Edit, rawEnd, rawStart, type Slot } from "@longhaul/condense/advanced";
import { blocksOf, type Cause, type LocatedBlock, type Pair } from "./blocks.ts";

export function pairSlots({ raw, slots }: Pick<Draft, "raw" | "slots">, trace: Pick<Trace, "causeOf">): Pair[] {
  const pairs = blocksOf({ ...raw, messages: [] }).map((placed): Pair => ({ before: placed, after: placed }));
  let next = 0;
  const addGone = (to: number, replacement?: LocatedBlock) => {
    for (; next < to; next++) {
      const cause = causeOf(trace, next);
      const { role = "user", blocks = [] } = raw.messages[next] ?? {};
      for (const block of blocks) {
        pairs.push({ before: { message: next, role, block }, ...(replacement && { replacement }), ...cause });
      }
    }
  };
  const located = slots.map(({ message: { role, blocks } }, message) =>
    blocks.map((block) => ({ message, role, block })),
  );
  for (const [position, slot] of slots.entries()) {
    addGone(rawStart(slot), located[summaryAfter(slots, { position, next })]?.[0]);
    const present = located[position] ?? [];
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

/** Returns the position of the summary, from `position` on, that is also about the missing messages from `next` on; -1 if there is none. */
function summaryAfter(slots: readonly Slot[], { position, next }: { position: number; next: number }): number {
  return slots.findIndex(
    (slot, at) => at >= position && slot.kind === "made" && slot.since !== undefined && slot.since <= next,
  );
}

interface Kept {
  readonly present: readonly LocatedBlock[];
  readonly raw: Draft["raw"];
  readonly trace: Pick<Trace, "causeOf">;
}

function keptPairs(slot: Extract<Slot, { kind: "kept" }>, { present, raw, trace }: Kept): Pair[] {
  const { index, sources } = slot;
  const { role, blocks } = raw.messages[index] ?? slot.message;
  const own = blocks.map((block, source) => {
    const after = present[sources.indexOf(source)];
    return { before: { message: index, role, block }, ...(after && { after }), ...causeOf(trace, index, source) };
  });
  return [...own, ...present.slice(sources.length).map((after) => ({ after }))];
}

function causeOf(trace: Pick<Trace, "causeOf">, message: number, block?: number): { readonly cause?: Cause } {
  const cause = trace.causeOf(message, block);
  return cause === undefined ? {} : { cause };
}

export interface Trace {
  /** Records the edits of a pass. A strategy that starts from the raw conversation discards all earlier edits. */
  take(applied: AppliedPass): void;
  /** Returns the last edit of a block, or of a whole message. */
  causeOf(message: number, block?: number): Cause | undefined;
}

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

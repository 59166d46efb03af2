import { type AppliedPass, type Draft, type Edit, rawEnd, rawStart } from "@longhaul/condense";
import type { Cause } from "./pair.ts";

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

import { pureHash } from "@longhaul/conversation";
import type { Draft, KeptSlot } from "../draft.ts";
import { type Place, placeKey, textAt, textsIn } from "../place.ts";
import { flatten } from "../projection.ts";
import { type Expansion, expandConversation } from "../references/expand-conversation.ts";

/** Raw texts that are not told letter for letter by what would be sent and the record, although nothing says that they were lost. */
export function inexactTexts(draft: Draft): Place[] {
  const projection = JSON.parse(JSON.stringify(flatten(draft, pureHash)));
  const expansion = expandConversation(draft.conversation, projection, pureHash);
  const kept = draft.slots.filter((slot) => slot.kind === "kept");
  return kept.flatMap((slot) => slot.sources.flatMap((_, position) => inexactIn(draft, { slot, position }, expansion)));
}

interface KeptBlock {
  readonly slot: KeptSlot;
  readonly position: number;
}

function inexactIn(draft: Draft, { slot, position }: KeptBlock, { messages, lost }: Expansion): Place[] {
  const block = slot.sources[position] ?? -1;
  const raw = draft.raw.messages[slot.index]?.blocks[block];
  const told = messages[slot.index]?.blocks[position];
  const texts = raw === undefined ? [] : textsIn(raw);
  return texts
    .filter(({ path, text }) => told === undefined || textAt(told, path) !== text)
    .map(({ path }) => ({ message: slot.index, block, path }))
    .filter((place) => !isLost(place, lost));
}

function isLost(place: Place, lost: readonly Place[]): boolean {
  const outer = place.path.map((_, depth) => ({ ...place, path: place.path.slice(0, depth) }));
  const keys = new Set([...outer, place].map(placeKey));
  return lost.some((entry) => keys.has(placeKey(entry)));
}

import {
  type Block,
  type Conversation,
  fingerprint,
  type Hash,
  LonghaulError,
  type Message,
} from "@longhaul/conversation";
import type { Change } from "./change.ts";
import { type Draft, type KeptSlot, keptSlot, makeDraft, type Slot } from "./draft.ts";
import { textAt } from "./place.ts";
import { resolveReferences } from "./references/resolve.ts";

/** Bumped when stored projections of before can no longer be replayed. */
export const PROJECTION_VERSION = 1;

/**
 * All that a condensation did, in the coordinates of the raw conversation: what is stored, shown and replayed. It holds positions,
 * hashes and texts that we or a model made, never the client's own text.
 */
export interface Projection {
  readonly version: typeof PROJECTION_VERSION;
  /** How many raw messages it speaks of; those after them are kept as they are. */
  readonly messages: number;
  readonly entries: readonly Entry[];
}

/** One stretch of a projection. Raw messages that no entry names are left out. */
export type Entry =
  | { readonly kind: "keep"; readonly from: number; readonly to: number }
  | { readonly kind: "change"; readonly index: number; readonly changes: readonly HashedChange[] }
  | { readonly kind: "made"; readonly from: number; readonly to: number; readonly message: Message };

/** A change, with the hash of what it was made for. */
export type HashedChange = Change & { readonly hash: string };

/** Flattens all that was done to a draft. */
export function flatten(draft: Draft, hash: Hash): Projection {
  const entries: Entry[] = [];
  for (const slot of draft.slots) append(entries, entryOf(slot, draft, hash));
  return { version: PROJECTION_VERSION, messages: draft.raw.messages.length, entries };
}

function entryOf(slot: Slot, draft: Draft, hash: Hash): Entry {
  if (slot.kind === "made") return slot;
  if (slot.changes.length === 0) return { kind: "keep", from: slot.index, to: slot.index + 1 };
  const blocks = draft.raw.messages[slot.index]?.blocks ?? [];
  const changes = slot.changes.map((change) => ({ ...change, hash: hashOf(change, blocks[change.block], hash) }));
  return { kind: "change", index: slot.index, changes };
}

function append(entries: Entry[], entry: Entry): void {
  const last = entries.at(-1);
  if (last?.kind === "keep" && entry.kind === "keep" && last.to === entry.from) {
    entries[entries.length - 1] = { ...last, to: entry.to };
  } else entries.push(entry);
}

/**
 * Replays a projection on a conversation that begins with the messages it was made for; what was said since is appended as it is. A change
 * whose part no longer has its hash is left out, because the client changed that part itself; references to such a part are set right.
 */
export function project(conversation: Conversation, projection: Projection, hash: Hash): Draft {
  const { messages } = conversation;
  if (messages.length < projection.messages) {
    throw new LonghaulError(
      "condense.failed",
      `the conversation has ${messages.length} messages, its projection speaks of ${projection.messages}`,
    );
  }
  const slots = projection.entries.flatMap((entry) => slotsOf(entry, messages, hash));
  const tail = messages
    .slice(projection.messages)
    .map((message, index) => keptSlot(message, projection.messages + index, []));
  return resolveReferences(makeDraft(conversation, [...slots, ...tail]), hash);
}

function slotsOf(entry: Entry, messages: readonly Message[], hash: Hash): Slot[] {
  if (entry.kind === "made") return [entry];
  const { from, to } = entry.kind === "keep" ? entry : { from: entry.index, to: entry.index + 1 };
  return messages.slice(from, to).map((message, offset): KeptSlot => {
    const changes = entry.kind === "change" ? entry.changes.filter((change) => stillFits(change, message, hash)) : [];
    return keptSlot(message, from + offset, changes);
  });
}

function stillFits(change: HashedChange, message: Message, hash: Hash): boolean {
  return change.hash === hashOf(change, message.blocks[change.block], hash);
}

/** A text is known by itself, anything else by the block it stands in. */
function hashOf(change: Change, block: Block | undefined, hash: Hash): string {
  if (block === undefined) return "";
  if (change.kind === "text") return hash(textAt(block, change.path) ?? "");
  return fingerprint({ role: "user", blocks: [block] }, hash);
}

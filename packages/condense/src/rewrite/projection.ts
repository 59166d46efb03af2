import {
  type Block,
  type Conversation,
  fingerprint,
  type Hash,
  LonghaulError,
  type Message,
} from "@longhaul/conversation";
import type { Change } from "../edits/change.ts";
import { type Draft, keptSlot, makeDraft, rawEnd, type SentMessages, type Slot } from "../edits/draft.ts";
import { textAt } from "../edits/text-position.ts";
import { resolveReferences } from "../references/resolve.ts";

/** Bumped when stored projections of before can no longer be replayed. */
export const PROJECTION_VERSION = 1;

/**
 * All that a condensation did, in the coordinates of the raw conversation: what is stored, shown and replayed. It holds positions, hashes and
 * texts that we or a model made, which may quote the conversation; beyond that nothing of the client's text.
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
  const nothing: Projection = { version: PROJECTION_VERSION, messages: 0, entries: [] };
  const { raw, slots } = draft;
  return {
    ...extendProjection(nothing, slots, { rawAt: (index) => raw.messages[index], hash }),
    messages: raw.messages.length,
  };
}

/** How raw messages are had, and known again. */
export interface RawMessages {
  rawAt(index: number): Message | undefined;
  readonly hash: Hash;
}

/** The projection of a conversation that has grown by messages since: raw ones, with what was done to them. */
export function extendProjection(projection: Projection, slots: readonly Slot[], raw: RawMessages): Projection {
  const entries = [...projection.entries];
  for (const slot of slots) append(entries, entryOf(slot, raw));
  const last = slots.at(-1);
  const messages = last === undefined ? projection.messages : rawEnd(last);
  return { ...projection, messages, entries };
}

function entryOf(slot: Slot, { rawAt, hash }: RawMessages): Entry {
  if (slot.kind === "made") return slot;
  if (slot.changes.length === 0) return { kind: "keep", from: slot.index, to: slot.index + 1 };
  const blocks = rawAt(slot.index)?.blocks ?? [];
  const changes = slot.changes.map((change) => ({ ...change, hash: hashOf(change, blocks[change.block], hash) }));
  return { kind: "change", index: slot.index, changes };
}

/**
 * What a projection makes of a conversation of `count` raw messages, message by message: each is asked for only when it is looked at. The
 * parts that changes were made for must be as they were, or changes are left out; references to such parts are not set right.
 */
export function projectedMessages(projection: Projection, count: number, raw: RawMessages): SentMessages {
  const positions = projection.entries.flatMap(positionsOf);
  const known = positions.length;
  return {
    count: known + count - projection.messages,
    rawAt: raw.rawAt,
    slotAt: (position) => {
      const { entry, index } = positions[position] ?? {
        entry: undefined,
        index: projection.messages + position - known,
      };
      if (entry?.kind === "made") return entry;
      const message = raw.rawAt(index);
      return (
        message && keptSlot(message, index, entry?.kind === "change" ? fittingChanges(entry, message, raw.hash) : [])
      );
    },
  };
}

function positionsOf(entry: Entry): { readonly entry: Entry; readonly index: number }[] {
  if (entry.kind !== "keep") return [{ entry, index: entry.kind === "made" ? -1 : entry.index }];
  return Array.from({ length: entry.to - entry.from }, (_, offset) => ({ entry, index: entry.from + offset }));
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
  const { count, slotAt } = projectedMessages(projection, messages.length, { rawAt: (index) => messages[index], hash });
  const slots = Array.from({ length: count }, (_, position) => slotAt(position) ?? []).flat();
  return resolveReferences(makeDraft(conversation, slots), hash);
}

/** The changes whose parts still are what they were made for. */
function fittingChanges({ changes }: Extract<Entry, { kind: "change" }>, message: Message, hash: Hash): HashedChange[] {
  return changes.filter((change) => change.hash === hashOf(change, message.blocks[change.block], hash));
}

/** A text is known by itself, anything else by the block it stands in. */
function hashOf(change: Change, block: Block | undefined, hash: Hash): string {
  if (block === undefined) return "";
  if (change.kind === "text") return hash(textAt(block, change.path) ?? "");
  return fingerprint({ role: "user", blocks: [block] }, hash);
}

import {
  type Block,
  type Conversation,
  fingerprint,
  type Hash,
  LonghaulError,
  type Message,
} from "@longhaul/conversation/advanced";
import type { Change } from "../edits/change.ts";
import {
  type Draft,
  keptSlot,
  type MadeSlot,
  makeDraft,
  rawEnd,
  type SentMessages,
  type Slot,
} from "../edits/draft.ts";
import { textAt } from "../edits/text-position.ts";
import { resolveReferences } from "../references/resolve.ts";

/** Increased when stored projections of earlier versions cannot be replayed. */
export const PROJECTION_VERSION = 2;

/**
 * The result of a condensation in the coordinates of the raw conversation: it is stored, shown and replayed. It holds positions, hashes and
 * generated texts, which may quote the conversation, but nothing else of the client's text.
 */
export interface Projection {
  readonly version: typeof PROJECTION_VERSION;
  /** Number of raw messages that it covers; later ones are kept unchanged. */
  readonly messages: number;
  readonly entries: readonly Entry[];
}

/** One entry of a projection. Raw messages without an entry are dropped. */
export type Entry =
  | { readonly kind: "keep"; readonly from: number; readonly to: number }
  | { readonly kind: "change"; readonly index: number; readonly changes: readonly HashedChange[] }
  | MadeSlot;

/** A change with the hash of the part that it applies to. */
export type HashedChange = Change & { readonly hash: string };

/** Flattens the changes of a draft into a projection. */
export function flatten(draft: Draft, hash: Hash): Projection {
  const nothing: Projection = { version: PROJECTION_VERSION, messages: 0, entries: [] };
  const { raw, slots } = draft;
  return {
    ...extendProjection(nothing, slots, { rawAt: (index) => raw.messages[index], hash }),
    messages: raw.messages.length,
  };
}

/** Access to raw messages. */
export interface RawMessages {
  rawAt(index: number): Message | undefined;
  readonly hash: Hash;
}

/** Extends a projection by new messages: raw ones with their changes. */
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
 * Applies a projection to a conversation of `count` raw messages, message by message, reading each on demand. Changes to parts that no
 * longer have their hash are skipped; references to such parts are not repaired.
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
 * Replays a projection on a conversation that starts with the messages it was made for; later messages are appended unchanged. Changes to
 * parts that the client has modified since are skipped, and references to such parts are repaired.
 */
export function project(conversation: Conversation, projection: Projection, hash: Hash): Draft {
  const { messages } = conversation;
  if (messages.length < projection.messages) {
    throw new LonghaulError(
      "condense.failed",
      `the conversation has ${messages.length} messages, but its projection covers ${projection.messages}`,
    );
  }
  const { count, slotAt } = projectedMessages(projection, messages.length, { rawAt: (index) => messages[index], hash });
  const slots = Array.from({ length: count }, (_, position) => slotAt(position) ?? []).flat();
  return resolveReferences(makeDraft(conversation, slots), hash);
}

/** Returns the changes whose parts still have their hash. */
function fittingChanges({ changes }: Extract<Entry, { kind: "change" }>, message: Message, hash: Hash): HashedChange[] {
  return changes.filter((change) => change.hash === hashOf(change, message.blocks[change.block], hash));
}

/** A text is hashed by itself, any other part by its block. A note depends on no part. */
function hashOf(change: Change, block: Block | undefined, hash: Hash): string {
  if (block === undefined || change.kind === "note") return "";
  if (change.kind === "text") return hash(textAt(block, change.path) ?? "");
  return fingerprint({ role: "user", blocks: [block] }, hash);
}

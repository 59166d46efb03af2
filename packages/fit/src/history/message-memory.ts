import { createHash, hash } from "node:crypto";
import { LruMap } from "@longhaul/conversation/advanced";
import type { FrontName, Fronts } from "@longhaul/store";
import { type Codec, type Span, type SplitBody, splitPrefix } from "@longhaul/wire";
import { splitScanned } from "../request/body-bytes.ts";
import { makePauses, type Pauses } from "../threads/timing.ts";
import type { Counted } from "./counted.ts";
import {
  type FrontLimits,
  frontKeys,
  type KnownFront,
  type KnownFronts,
  longestOf,
  makeKnownFronts,
  nameOf,
} from "./known-fronts.ts";
import { bytesOf, type KnownMessage, learn } from "./known-messages.ts";
import { packMessages, readFacts, writeFacts } from "./packed-messages.ts";

/** A body whose messages were looked up. */
export interface LookedUp {
  readonly messages: readonly KnownMessage[];
  readonly spans: readonly Span[];
  readonly fields: ReadonlyMap<string, Span>;
  /** The known front of the body, for the tokens of its messages. */
  readonly front: KnownFront<KnownMessage> | undefined;
}

/** Recognises messages by their bytes. */
export interface KnownMessages {
  /**
   * Looks up the messages of a body and parses only new ones, with pauses for other work. Returns undefined if the body must be parsed as a
   * whole.
   */
  lookUp(body: Uint8Array, codec: Codec, learnLarge?: LearnMessage): Promise<LookedUp | undefined>;
  /** Splits a body whose beginning is known, so that its fields are found without searching all of it. */
  splitKnown(body: Uint8Array, codec: Codec): void;
  /** Keeps the sizes of a front's messages, also for later and other processes. */
  share(body: Uint8Array, codec: Codec, known: SharedFront): void;
}

interface SharedFront {
  readonly front: KnownFront<KnownMessage>;
  readonly counted: Counted;
}

/** Reads a message for the first time. Returns undefined if its bytes are not valid JSON. */
export type LearnMessage = (bytes: Uint8Array) => Promise<KnownMessage | undefined>;

/** Reading and counting a longer message would block other requests. */
export const LARGE_MESSAGE_BYTES = 256 * 1024;

/** About a hundred thousand messages. */
const MAX_KNOWN_BYTES = 64 * 1024 * 1024;

/** A store of fronts that never rejects. */
export interface FrontStore extends Omit<Fronts, "put"> {
  /** Returns whether it was stored. */
  put(...front: Parameters<Fronts["put"]>): Promise<boolean>;
}

/** How known messages are kept. */
export interface KnownMessagesOptions {
  /** Of the messages that are recognised one by one. @default 64 MiB */
  readonly maxBytes?: number;
  readonly limits?: FrontLimits;
  /** Shares facts about long bodies with later and other processes. @default none */
  readonly store?: FrontStore;
}

/** Makes an empty memory that evicts the least recently used messages. */
export function makeKnownMessages(options: KnownMessagesOptions = {}): KnownMessages {
  const { maxBytes = MAX_KNOWN_BYTES, limits, store } = options;
  const known = new LruMap<KnownMessage>(maxBytes, (message, key) => bytesOf(message) + key.length);
  const fronts = makeKnownFronts({ pack: packMessages, bytesOf, ...(limits && { limits }) });
  const stored = store && makeStoredFronts(store, fronts);
  const frontOf = async (body: Uint8Array, codec: Codec) => {
    const front = fronts.find(body, codec);
    const split = splitScanned(body, codec.messagesField, front?.split);
    return { split, front: front ?? (split && (await stored?.load(body, codec, split))) };
  };
  return {
    splitKnown: (body, codec) => {
      const front = fronts.find(body, codec);
      if (front !== undefined) splitScanned(body, codec.messagesField, front.split);
    },
    lookUp: async (body, codec, learnLarge = async (bytes) => learn(bytes, codec)) => {
      const { split, front } = await frontOf(body, codec);
      if (split === undefined) return undefined;
      const before = front?.messages ?? [];
      const pauses = makePauses();
      const read = (bytes: Uint8Array) =>
        bytes.length > LARGE_MESSAGE_BYTES ? learnLarge(bytes) : learn(bytes, codec);
      const later: [string, KnownMessage][] = [];
      for (const { from, to } of split.items.slice(before.length)) {
        const pause = pauses.take();
        if (pause !== undefined) await pause;
        const bytes = body.subarray(from, to);
        const key = `${codec.id}/${await hashPaced(bytes, pauses)}`;
        const found = known.get(key) ?? front?.after.get(key) ?? (await read(bytes));
        if (found === undefined) return undefined;
        known.set(key, found);
        later.push([key, found]);
      }
      const messages = [...before, ...later.map(([, message]) => message)];
      const kept = fronts.keep(body, codec, { split, front, later });
      return { messages, spans: split.items, fields: split.fields, front: kept };
    },
    share: (body, codec, { front, counted }) => {
      fronts.change(front, { counted });
      stored?.save(body, codec, front);
    },
  };
}

/** Size limit of all stored facts together. */
export const MAX_STORED_BYTES = 256 * 1024 * 1024;
/** A front is stored again when it has grown by this factor: after a restart, at most a fifth of a conversation is read again. */
const GROWTH = 1.25;
/** Facts about more messages and blocks would take megabytes, and those about short ones more space than the messages. */
const MAX_FACTS = 10_000;
const MIN_BYTES_PER_FACT = 250;
/** After each tenth of all stored facts, the oldest are deleted, so that no client fills the disk until the next daily pruning. */
const PRUNE_EVERY_BYTES = MAX_STORED_BYTES / 10;
/** Facts that wait for a slow store. Further ones are not stored. */
const MAX_WAITING_BYTES = 16 * 1024 * 1024;
/** How many writes are skipped after the store has failed: preparing one takes milliseconds. */
const SKIPPED_WRITES = 20;

/** Loads facts about fronts that this process does not know, and saves those that it has learned. */
function makeStoredFronts(store: FrontStore, fronts: KnownFronts<KnownMessage>) {
  let unpruned = 0;
  let waiting = 0;
  let skipped = 0;
  const put = async (name: FrontName, facts: Uint8Array, replaced: FrontName | undefined) => {
    waiting += facts.length;
    const isStored = await store.put(name, facts, replaced);
    waiting -= facts.length;
    if (!isStored) skipped = SKIPPED_WRITES;
    unpruned += facts.length;
    if (unpruned >= PRUNE_EVERY_BYTES) {
      unpruned = 0;
      void store.prune(0, MAX_STORED_BYTES);
    }
    return isStored;
  };
  return {
    load: async (body: Uint8Array, codec: Codec, split: SplitBody) => {
      const keys = frontKeys(body, codec);
      const saved = keys.length === 0 ? undefined : longestOf(await store.find(keys), body);
      const written = saved && (await store.read(saved));
      const facts = written && readFacts(saved, written);
      if (saved === undefined || facts === undefined) return undefined;
      const { messages, counted } = facts;
      const prefix = splitPrefix(split, codec.messagesField, messages.length);
      if (prefix?.to !== saved.bytes) return undefined;
      const front = { split: prefix, messages, after: new Map(), counted: { ...counted, after: new Map() }, saved };
      fronts.add(saved, front);
      return front;
    },
    save: (body: Uint8Array, codec: Codec, front: KnownFront<KnownMessage>) => {
      const { split, messages, counted, saved } = front;
      const isDue = split.to >= (saved?.bytes ?? 0) * GROWTH;
      if (counted === undefined || !isDue || waiting > MAX_WAITING_BYTES) return;
      const facts = counted.sizes.reduce((sum, sizes) => sum + sizes.length, messages.length);
      if (facts === 0 || facts > Math.min(MAX_FACTS, split.to / MIN_BYTES_PER_FACT)) return;
      if (skipped-- > 0) return;
      skipped = 0;
      const name = nameOf(body, codec, split.to);
      fronts.change(front, { saved: name });
      void put(name, writeFacts(name, { messages, counted }), saved).then((isStored) => {
        if (!isStored && front.saved === name) fronts.change(front, { saved });
      });
    },
  };
}

const HASHED_AT_ONCE = 1024 * 1024;

function hashPaced(bytes: Uint8Array, pauses: Pauses): string | Promise<string> {
  return bytes.length > HASHED_AT_ONCE ? hashInPieces(bytes, pauses) : hash("sha256", bytes, "base64url");
}

async function hashInPieces(bytes: Uint8Array, pauses: Pauses): Promise<string> {
  const hashing = createHash("sha256");
  for (let from = 0; from < bytes.length; from += HASHED_AT_ONCE) {
    hashing.update(bytes.subarray(from, from + HASHED_AT_ONCE));
    await pauses.take();
  }
  return hashing.digest("base64url");
}

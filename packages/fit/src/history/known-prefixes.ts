import { createHash, type Hash } from "node:crypto";
import { type PackedMessage, packMessages } from "./packed-messages.ts";

/** Hashes of a conversation's first messages. */
export interface PrefixHashes {
  /** Of all content, wherever thinking is placed. */
  readonly content: string;
  /** Of the content that clients never clear. */
  readonly loose: string;
  /** Of exactly these messages. */
  readonly exact: string;
}

/** A position up to which the messages of a conversation are known. */
export interface Stop extends PrefixHashes {
  /** How many messages are known, without those that are the system prompt. */
  readonly messages: number;
  /** Length of these messages, from the first entry of the list. */
  readonly bytes: number;
  /** Number of JSON values in them. */
  readonly values: number;
  /** Length of their packed facts. */
  readonly packedBytes: number;
  /** Their tokens, counted with `ratio`. */
  readonly tokens: number;
  readonly ratio: number;
  /** SHA-256 of their bytes. */
  readonly hash: string;
  /** A checksum of their last bytes: a cheap first comparison. */
  readonly sample: number;
}

/** The record of a conversation between two turns: a fixed part of about 2 KB, and 10 to 20 bytes for each message. */
export interface KnownConversation {
  readonly place: string;
  /** Leading system messages that are the system prompt, and where the last of them ends. */
  readonly opening: number;
  readonly openingTo: number;
  /** Where the first message after them starts. */
  readonly firstFrom: number;
  /** Shortest first. */
  readonly stops: readonly Stop[];
  /** Facts about the messages, by `packMessages`. */
  readonly packed: Buffer;
  /** Hashes by number of messages: of the first turn, and of positions that state is stored under. */
  readonly marks: Map<number, PrefixHashes>;
  /** The messages before the new ones of the last turn. */
  turn: readonly [number, PrefixHashes] | undefined;
  /** Its length when it was last written to the store; 0 if it must be written again. */
  storedBytes: number;
  /** Names of epochs that may be reused although the client has cleared content since. */
  readonly proofs: Set<string>;
}

/** A conversation whose beginning a body shares, byte for byte. */
export interface FoundPrefix {
  readonly conversation: KnownConversation;
  readonly stop: Stop;
}

/** The messages that a request adds to a known prefix. */
export interface Growth {
  readonly place: string;
  readonly opening: number;
  readonly openingTo: number;
  readonly found: FoundPrefix | undefined;
  /** The messages after the known ones. */
  readonly added: readonly PackedMessage[];
  /** For each of them: tokens, and how many JSON values the list has up to its end. */
  readonly tokens: readonly number[];
  readonly values: readonly number[];
  readonly ratio: number;
  /** Tokens of the known messages, with the same ratio. */
  readonly knownTokens: number;
  hashesAt(messages: number): PrefixHashes | undefined;
}

/** Clients move their cache marks along the last messages. */
const LAST_MESSAGES = 4;
/** Shorter conversations are read again. */
const MIN_BYTES = 8 * 1024;
/** One hash of more than this would block other requests. */
const MAX_BYTES = 16 * 1024 * 1024;
const MAX_MARKS = 12;
const MAX_PROOFS = 8;
/** Memory of a conversation with a few marks, and of a stop. */
const FIXED_BYTES = 1_200;
const HASHES_BYTES = 440;
const DEFAULT_MAX_BYTES = 128 * 1024 * 1024;
/** Returns the limit that currently applies. */
type MaxBytes = () => number;

/**
 * Recognises the beginning of conversations by one hash of its bytes: clients resend their history with every turn. Holds at most a number
 * of bytes and evicts the conversations that were not continued for the longest time.
 */
export class KnownPrefixes {
  readonly #maxBytes: MaxBytes;
  readonly #conversations = new Set<KnownConversation>();
  /** By the hash of their first bytes, as many as the largest power of two that they have. */
  readonly #byOpening = new Map<string, Set<KnownConversation>>();
  #bytes = 0;

  constructor(maxBytes: MaxBytes = () => DEFAULT_MAX_BYTES) {
    this.#maxBytes = maxBytes;
  }

  /** Returns the names of conversations that a list may continue. */
  openingsOf(list: HashedList, place: string): readonly string[] {
    const openings: string[] = [];
    for (let level = MIN_BYTES; level <= list.bytes && list.bytes <= MAX_BYTES; level *= 2)
      openings.push(`${place}/${list.hashOf(level)}`);
    return openings;
  }

  openingOf(conversation: KnownConversation): string {
    return this.#openings.get(conversation) ?? "";
  }

  /** Adds a conversation that another process knows. Returns false if this one knows more of it. */
  adopt(opening: string, conversation: KnownConversation): boolean {
    const bytes = conversation.stops.at(-1)?.bytes ?? 0;
    const alike = [...(this.#byOpening.get(opening) ?? [])];
    if (alike.some(({ stops }) => (stops.at(-1)?.bytes ?? 0) >= bytes)) return false;
    this.#add(opening, conversation);
    this.#evict(conversation);
    return true;
  }

  /** Returns the conversation at this place that shares the longest beginning with a list of messages. */
  find(list: HashedList, place: string): FoundPrefix | undefined {
    let longest: FoundPrefix | undefined;
    for (const opening of this.openingsOf(list, place)) {
      for (const conversation of this.#byOpening.get(opening) ?? []) {
        const stop = longestStop(conversation, list);
        if (stop !== undefined && stop.bytes > (longest?.stop.bytes ?? 0)) longest = { conversation, stop };
      }
    }
    if (longest !== undefined) {
      this.#conversations.delete(longest.conversation);
      this.#conversations.add(longest.conversation);
    }
    return longest;
  }

  /** Stores a conversation that has grown. A conversation that it only shares a beginning with is replaced if there are two of them. */
  grow(list: HashedList, growth: Growth): KnownConversation | undefined {
    const grown = list.bytes > MAX_BYTES ? undefined : grownConversation(list, growth);
    const [first] = grown?.stops ?? [];
    if (grown === undefined || first === undefined || first.bytes < MIN_BYTES) return undefined;
    const key = openingKey(list, grown);
    const alike = this.#byOpening.get(key) ?? new Set();
    const before = growth.found?.conversation;
    const isContinued = before !== undefined && before.stops.at(-1) === growth.found?.stop;
    const shared = [...alike].filter(({ stops }) => stops.some(({ hash }) => hash === growth.found?.stop.hash));
    if (before !== undefined && (isContinued || shared.length > 1)) this.#remove(isContinued ? before : shared[0]);
    this.#add(key, grown);
    this.#evict(grown);
    return grown;
  }

  /** Removes the conversations that were not continued for the longest time. */
  #evict(latest: KnownConversation): void {
    for (const oldest of this.#conversations) {
      if (this.#bytes <= this.#maxBytes() || oldest === latest) break;
      this.#remove(oldest);
    }
  }

  readonly #openings = new WeakMap<KnownConversation, string>();

  #add(key: string, conversation: KnownConversation): void {
    this.#byOpening.set(key, (this.#byOpening.get(key) ?? new Set()).add(conversation));
    this.#openings.set(conversation, key);
    this.#conversations.add(conversation);
    this.#bytes += sizeOf(conversation);
  }

  #remove(conversation: KnownConversation | undefined): void {
    if (conversation === undefined || !this.#conversations.delete(conversation)) return;
    this.#bytes -= sizeOf(conversation);
    const key = this.#openings.get(conversation) ?? "";
    const alike = this.#byOpening.get(key);
    alike?.delete(conversation);
    if (alike?.size === 0) this.#byOpening.delete(key);
  }
}

/** Some marks are added after a conversation is stored, so a few are counted from the start. */
function sizeOf({ packed, stops }: KnownConversation): number {
  return FIXED_BYTES + packed.length + stops.length * HASHES_BYTES;
}

function openingKey(list: HashedList, { place, stops }: KnownConversation): string {
  let level = MIN_BYTES;
  while (level * 2 <= (stops[0]?.bytes ?? 0)) level *= 2;
  return `${place}/${list.hashOf(level)}`;
}

function longestStop({ stops }: KnownConversation, list: HashedList): Stop | undefined {
  let longest: Stop | undefined;
  for (const stop of stops) {
    if (stop.bytes > list.bytes || stop.sample !== list.sampleAt(stop.bytes)) break;
    if (stop.hash !== list.hashOf(stop.bytes)) break;
    longest = stop;
  }
  return longest;
}

function grownConversation(list: HashedList, growth: Growth): KnownConversation | undefined {
  const { found, added, place, opening, openingTo } = growth;
  const firstFrom = found?.conversation.firstFrom ?? added[0]?.span.from ?? 0;
  const from = found?.stop.messages ?? 0;
  const stable = Math.max(0, added.length - LAST_MESSAGES);
  const end = found?.stop.bytes ?? openingTo;
  const front = packMessages(added.slice(0, stable), end);
  const rest = packMessages(added.slice(stable), added[stable - 1]?.span.to ?? end);
  if (added.length === 0 || front === undefined || rest === undefined) return undefined;
  const before = found?.conversation.packed.subarray(0, found.stop.packedBytes) ?? Buffer.alloc(0);
  const stopAt = (count: number, packedBytes: number) => makeStop(list, growth, { count, packedBytes });
  const stops = [
    ...(stable > 0 ? [stopAt(stable, before.length + front.length)] : []),
    stopAt(added.length, before.length + front.length + rest.length),
  ].flatMap((stop) => stop ?? []);
  const kept = found?.conversation.stops.filter(({ messages }) => messages <= from) ?? [];
  const proofs = new Set(found?.conversation.proofs);
  const marks = new Map([...(found?.conversation.marks ?? [])].filter((mark) => isStillTrue(mark, from, growth)));
  const packed = Buffer.concat([before, front, rest]);
  const last = found?.conversation.turn;
  const turn = last !== undefined && isStillTrue(last, from, growth) ? last : undefined;
  const where = { place, opening, openingTo, firstFrom };
  const storedBytes = found?.conversation.storedBytes ?? 0;
  return { ...where, stops: recentStops([...kept, ...stops]), packed, marks, turn, proofs, storedBytes };
}

/** The messages after the known ones may be those of another branch. */
function isStillTrue(
  [messages, { exact }]: readonly [number, PrefixHashes],
  from: number,
  { hashesAt }: Growth,
): boolean {
  return messages <= from || hashesAt(messages)?.exact === exact;
}

/** Keeps the stops of the last messages and one before them. */
function recentStops(stops: readonly Stop[]): readonly Stop[] {
  const stable = (stops.at(-1)?.messages ?? 0) - LAST_MESSAGES;
  const first = stops.findLastIndex(({ messages }) => messages <= stable);
  return stops.slice(Math.max(0, first));
}

function makeStop(
  list: HashedList,
  { found, added, tokens, values, ratio, knownTokens, hashesAt }: Growth,
  { count, packedBytes }: { readonly count: number; readonly packedBytes: number },
): Stop | undefined {
  const messages = (found?.stop.messages ?? 0) + count;
  const hashes = hashesAt(messages);
  const bytes = added[count - 1]?.span.to;
  if (hashes === undefined || bytes === undefined) return undefined;
  return {
    ...hashes,
    messages,
    bytes,
    values: values[count - 1] ?? 0,
    packedBytes,
    tokens: tokens.slice(0, count).reduce((sum, each) => sum + each, knownTokens),
    ratio,
    hash: list.hashOf(bytes),
    sample: list.sampleAt(bytes),
  };
}

/** Keeps the hashes of a position, so that later turns know them. The first turn's stay. */
export function keepMark(conversation: KnownConversation, messages: number, hashes: PrefixHashes): void {
  const { marks } = conversation;
  if (!marks.has(messages)) conversation.storedBytes = 0;
  marks.delete(messages);
  marks.set(messages, hashes);
  const [, oldest] = marks.size > MAX_MARKS ? marks.keys() : [];
  if (oldest !== undefined) marks.delete(oldest);
}

export function keepProof({ proofs }: KnownConversation, name: string): void {
  proofs.delete(name);
  proofs.add(name);
  const [oldest] = proofs.size > MAX_PROOFS ? proofs : [];
  if (oldest !== undefined) proofs.delete(oldest);
}

const SAMPLE_BYTES = 32;

/** The entries of a list in a body. Their bytes are hashed once. */
export class HashedList {
  readonly #body: Uint8Array;
  readonly #start: number;
  /** The running hash after so many bytes, ascending. */
  readonly #hashing: { readonly bytes: number; readonly hash: Hash }[] = [];
  readonly #hashes = new Map<number, string>();

  /** Opens the list whose first entry starts here. */
  constructor(body: Uint8Array, start: number) {
    this.#body = body;
    this.#start = start;
  }

  get start(): number {
    return this.#start;
  }

  /** The length of the rest of the body. */
  get bytes(): number {
    return this.#body.length - this.#start;
  }

  /** Returns the SHA-256 of the first bytes. */
  hashOf(bytes: number): string {
    const known = this.#hashes.get(bytes);
    if (known !== undefined) return known;
    const at = this.#hashing.findLastIndex((each) => each.bytes <= bytes);
    const before = this.#hashing[at];
    const hash = before?.hash.copy() ?? createHash("sha256");
    hash.update(this.#body.subarray(this.#start + (before?.bytes ?? 0), this.#start + bytes));
    this.#hashing.splice(at + 1, 0, { bytes, hash });
    const digest = hash.copy().digest("base64url");
    this.#hashes.set(bytes, digest);
    return digest;
  }

  /** Returns a checksum of the bytes before this position. */
  sampleAt(bytes: number): number {
    const end = this.#start + bytes;
    let sum = 0;
    for (let at = Math.max(this.#start, end - SAMPLE_BYTES); at < end; at++) {
      sum = Math.imul(sum ^ (this.#body[at] ?? 0), 16_777_619);
    }
    return sum;
  }
}

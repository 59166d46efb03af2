import { hash } from "node:crypto";
import type { Size, Tokenizer } from "@longhaul/models/advanced";
import type { FrontName } from "@longhaul/store";
import { type Codec, type SplitBody, type SplitPrefix, splitPrefix } from "@longhaul/wire";

/** The known front of a body. */
export interface KnownFront<Known> {
  readonly split: SplitPrefix;
  readonly messages: readonly Known[];
  /** The messages after it in the latest body, by the hash of their bytes. */
  after: ReadonlyMap<string, Known>;
  counted?: Counted;
  /** Its latest stored version. */
  saved?: FrontName;
}

/** The sizes of a message's blocks, for any ratio of tokens. */
export type MessageSizes = readonly Size[];

/** The sizes of messages by the latest tokenizer. */
export interface Counted {
  readonly tokenizer: Tokenizer;
  /** Of the messages in the front. */
  readonly sizes: readonly MessageSizes[];
  /** Of the messages after it, by fingerprint. */
  readonly after: ReadonlyMap<string, MessageSizes>;
}

/**
 * Recognises the fronts of long bodies. Clients resend their history with every turn: hashing the old part in blocks costs a third of finding
 * and hashing each message (3 ms instead of 10 for 4 MB).
 */
export interface KnownFronts<Known> {
  /** Returns the longest known front of this body. */
  find(body: Uint8Array, codec: Codec): KnownFront<Known> | undefined;
  /** Keeps a longer front of this body, without the last messages, which may change again. Returns its longest known front. */
  keep(body: Uint8Array, codec: Codec, found: Found<Known>): KnownFront<Known> | undefined;
  /** Adds the front of this body with a name. */
  add(name: FrontName, front: KnownFront<Known>): void;
}

interface Found<Known> {
  readonly split: SplitBody;
  readonly messages: readonly Known[];
  /** The front that `find` returned. */
  readonly front: KnownFront<Known> | undefined;
}

/** Messages in little space. */
export interface Packed<Known> {
  readonly byteLength: number;
  unpack(): readonly Known[];
}

type Pack<Known> = (messages: readonly Known[]) => Packed<Known>;

/** A front that was not used for a while. */
interface PackedFront<Known> extends Pick<SplitPrefix, "fields" | "listFrom" | "to">, Pick<KnownFront<Known>, "saved"> {
  readonly messages: Packed<Known>;
  /** Hashes of the bytes of the messages after it. */
  readonly after: readonly string[];
  /** Start and end of each message. */
  readonly spans: Uint32Array;
  readonly counted: (Omit<Counted, "sizes"> & { readonly sizes: Float64Array }) | undefined;
}

interface Entry<Known> extends FrontName {
  /** One of the two is set. */
  front?: KnownFront<Known> | undefined;
  packed?: PackedFront<Known> | undefined;
}

/** Shorter bodies have no front. */
const MIN_BYTES = 64 * 1024;
/** Hashing more than this would block other requests. */
const MAX_BYTES = 16 * 1024 * 1024;
const BLOCK_BYTES = 16 * 1024;
/** Clients move their cache marks along the last messages. */
const LAST_MESSAGES = 4;
/** Fronts that differ only after their last whole block. Each is compared, so their number bounds the time of a search. */
const MAX_SIMILAR = 8;

/** Limits of the memory for fronts. */
export interface FrontLimits {
  /** Messages of fronts in use, of about 500 bytes each. Older fronts are packed. */
  readonly messages: number;
  /** Bytes of packed fronts, of about 120 bytes a message. The oldest are dropped. */
  readonly packedBytes: number;
}

const LIMITS: FrontLimits = { messages: 100_000, packedBytes: 320 * 1024 * 1024 };

/** Makes an empty memory. */
export function makeKnownFronts<Known>(pack: Pack<Known>, limits = LIMITS): KnownFronts<Known> {
  const table = new FrontTable(pack, limits);
  return {
    find: (body, codec) => {
      if (table.isEmpty) return undefined;
      for (const key of frontKeys(body, codec)) {
        const longest = longestOf(table.withKey(key), body);
        if (longest !== undefined) return table.use(longest);
      }
      return undefined;
    },
    keep: (body, codec, { split, messages, front }) => {
      if (!isWorthwhile(body)) return undefined;
      const count = split.items.length - LAST_MESSAGES;
      const longer = splitPrefix(split, codec.messagesField, count);
      if (longer === undefined || longer.to - (front?.split.to ?? 0) < BLOCK_BYTES) return front;
      const { after = new Map(), counted, saved } = front ?? {};
      const kept: KnownFront<Known> = { split: longer, messages: messages.slice(0, count), after };
      if (front !== undefined) table.removeFront(front);
      table.add({
        ...nameOf(body, codec, longer.to),
        front: Object.assign(kept, counted && { counted }, saved && { saved }),
      });
      return kept;
    },
    add: (name, front) => table.add({ ...name, front }),
  };
}

/** Returns the keys that a front of this body may have, longest first. */
export function frontKeys(body: Uint8Array, codec: Codec): string[] {
  return isWorthwhile(body)
    ? blockHashes(body)
        .map((hashed) => `${codec.id}/${hashed}`)
        .reverse()
    : [];
}

/** Returns the name of a body's first bytes. */
export function nameOf(body: Uint8Array, codec: Codec, bytes: number): FrontName {
  const blocks = Math.floor(bytes / BLOCK_BYTES);
  return { key: `${codec.id}/${blockHashes(body)[blocks - 1]}`, rest: hashOf(restOf(body, bytes)), bytes };
}

function restOf(body: Uint8Array, bytes: number): Uint8Array {
  return body.subarray(Math.floor(bytes / BLOCK_BYTES) * BLOCK_BYTES, bytes);
}

function isWorthwhile({ length }: Uint8Array): boolean {
  return length >= MIN_BYTES && length <= MAX_BYTES;
}

/** Returns the longest of these fronts that the body begins with. They have the body's first blocks. */
export function longestOf<Name extends FrontName>(similar: readonly Name[], body: Uint8Array): Name | undefined {
  return similar
    .toSorted((a, b) => b.bytes - a.bytes)
    .find(({ bytes, rest }) => bytes <= body.length && rest === hashOf(restOf(body, bytes)));
}

const hashed = new WeakMap<Uint8Array, readonly string[]>();

/** Returns hashes of a body's first whole blocks: entry `i` covers the first `i + 1`. They are kept as long as the body. */
function blockHashes(body: Uint8Array): readonly string[] {
  const known = hashed.get(body);
  if (known !== undefined) return known;
  const hashes: string[] = [];
  for (let to = BLOCK_BYTES; to <= body.length; to += BLOCK_BYTES) {
    hashes.push(hash("sha256", `${hashes.at(-1)}/${hashOf(body.subarray(to - BLOCK_BYTES, to))}`, "base64url"));
  }
  hashed.set(body, hashes);
  return hashes;
}

function hashOf(bytes: Uint8Array): string {
  return hash("sha256", bytes, "base64url");
}

/** All fronts, the least recently used first. */
class FrontTable<Known> {
  readonly #packMessages: Pack<Known>;
  readonly #limits: FrontLimits;
  readonly #byKey = new Map<string, readonly Entry<Known>[]>();
  readonly #inUse = new Map<KnownFront<Known>, Entry<Known>>();
  readonly #packed = new Set<Entry<Known>>();
  #messages = 0;
  #packedBytes = 0;

  constructor(pack: Pack<Known>, limits: FrontLimits) {
    this.#packMessages = pack;
    this.#limits = limits;
  }

  get isEmpty(): boolean {
    return this.#byKey.size === 0;
  }

  withKey(key: string): readonly Entry<Known>[] {
    return this.#byKey.get(key) ?? [];
  }

  add(entry: Entry<Known>): void {
    const similar = [...this.withKey(entry.key), entry];
    this.#byKey.set(entry.key, similar);
    this.use(entry);
    for (const oldest of similar.slice(0, -MAX_SIMILAR)) this.#remove(oldest);
  }

  removeFront(front: KnownFront<Known>): void {
    const entry = this.#inUse.get(front);
    if (entry !== undefined) this.#remove(entry);
  }

  /** Makes this front the most recently used one, and packs the oldest ones if there are too many. */
  use(entry: Entry<Known>): KnownFront<Known> {
    this.#forget(entry);
    const front = entry.front ?? this.#unpack(entry);
    this.#inUse.set(front, entry);
    this.#messages += front.messages.length;
    for (const [oldest, other] of this.#inUse) {
      if (this.#messages <= this.#limits.messages || oldest === front) break;
      this.#pack(other, oldest);
    }
    for (const oldest of this.#packed) {
      if (this.#packedBytes <= this.#limits.packedBytes) break;
      this.#remove(oldest);
    }
    return front;
  }

  #remove(entry: Entry<Known>): void {
    this.#forget(entry);
    const others = this.withKey(entry.key).filter((each) => each !== entry);
    if (others.length === 0) this.#byKey.delete(entry.key);
    else this.#byKey.set(entry.key, others);
  }

  #forget(entry: Entry<Known>): void {
    const { front, packed } = entry;
    if (front !== undefined && this.#inUse.delete(front)) this.#messages -= front.messages.length;
    if (packed !== undefined && this.#packed.delete(entry)) this.#packedBytes -= bytesOf(packed);
  }

  #pack(entry: Entry<Known>, { split, messages, after, counted, saved }: KnownFront<Known>): void {
    this.#forget(entry);
    const { items, ...rest } = split;
    entry.packed = {
      ...rest,
      messages: this.#packMessages([...messages, ...after.values()]),
      after: [...after.keys()],
      spans: Uint32Array.from(items.flatMap(({ from, to }) => [from, to])),
      counted: counted && { ...counted, sizes: packSizes(counted.sizes) },
      ...(saved && { saved }),
    };
    entry.front = undefined;
    this.#packed.add(entry);
    this.#packedBytes += bytesOf(entry.packed);
  }

  #unpack(entry: Entry<Known>): KnownFront<Known> {
    const { packed } = entry;
    if (packed === undefined) throw new TypeError("a front is neither in use nor packed");
    const { messages, after, spans, counted, saved, ...rest } = packed;
    const all = messages.unpack();
    const items = Array.from({ length: spans.length / 2 }, (_, index) => ({
      from: spans[2 * index] ?? 0,
      to: spans[2 * index + 1] ?? 0,
    }));
    const front: KnownFront<Known> = {
      split: { ...rest, items },
      messages: all.slice(0, items.length),
      after: new Map(all.slice(items.length).map((message, index) => [after[index] ?? "", message])),
      ...(counted && { counted: { ...counted, sizes: unpackSizes(counted.sizes) } }),
      ...(saved && { saved }),
    };
    entry.front = front;
    entry.packed = undefined;
    return front;
  }
}

/** An entry's key, fields and objects take about 1 KB, and a message after it 250 bytes more than others. */
const ENTRY_BYTES = 1024;
const AFTER_BYTES = 250;

function bytesOf<Known>({ messages, after, spans, counted }: PackedFront<Known>): number {
  const fixed = ENTRY_BYTES + after.length * AFTER_BYTES;
  return fixed + messages.byteLength + spans.byteLength + (counted?.sizes.byteLength ?? 0);
}

/** Writes the number of blocks of each message, then the two sizes of each block. */
export function packSizes(messages: readonly MessageSizes[]): Float64Array {
  return Float64Array.from(
    messages.flatMap((sizes) => [sizes.length, ...sizes.flatMap(({ text, fixed }) => [text, fixed])]),
  );
}

export function unpackSizes(packed: Float64Array): MessageSizes[] {
  const messages: MessageSizes[] = [];
  for (let at = 0; at < packed.length; ) {
    const from = at + 1;
    const blocks = packed[at] ?? 0;
    messages.push(
      Array.from({ length: blocks }, (_, index) => ({
        text: packed[from + 2 * index] ?? 0,
        fixed: packed[from + 2 * index + 1] ?? 0,
      })),
    );
    at = from + 2 * blocks;
  }
  return messages;
}

import { hash } from "node:crypto";
import type { FrontName } from "@longhaul/store";
import { type Codec, type SplitBody, type SplitPrefix, splitPrefix } from "@longhaul/wire";
import { type Counted, type PackedCounts, packCounts, unpackCounts } from "./counted.ts";

/** The known front of a body. */
export interface KnownFront<Known> {
  readonly split: SplitPrefix;
  readonly messages: readonly Known[];
  /** The messages after it in the latest body, by the hash of their bytes. */
  readonly after: ReadonlyMap<string, Known>;
  readonly counted?: Counted;
  /** Its latest stored version. */
  readonly saved?: FrontName | undefined;
  /** Whether different messages followed it: then it stays when one of its conversations grows. */
  readonly isShared?: boolean;
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
  /** Adds facts about a front. */
  change(front: KnownFront<Known>, facts: Pick<KnownFront<Known>, "counted" | "saved">): void;
}

interface Found<Known> {
  readonly split: SplitBody;
  /** The front that `find` returned. */
  readonly front: KnownFront<Known> | undefined;
  /** The messages after it, by the hash of their bytes. */
  readonly later: readonly (readonly [string, Known])[];
}

/** Messages in little space. */
export interface Packed<Known> {
  readonly byteLength: number;
  unpack(): readonly Known[];
}

/** How messages are kept. */
interface FrontOptions<Known> {
  pack(messages: readonly Known[]): Packed<Known>;
  /** Returns how many bytes a message takes in memory. */
  bytesOf(message: Known): number;
  readonly limits?: FrontLimits;
}

/** Limits of the memory for fronts, in bytes. */
export interface FrontLimits {
  /** Of fronts in use. Older fronts are packed. */
  readonly used: number;
  /** Of packed fronts. The oldest are dropped. */
  readonly packed: number;
}

const LIMITS: FrontLimits = { used: 64 * 1024 * 1024, packed: 320 * 1024 * 1024 };

/** Shorter bodies have no front. */
const MIN_BYTES = 64 * 1024;
/** Hashing more than this would block other requests. */
const MAX_BYTES = 16 * 1024 * 1024;
const BLOCK_BYTES = 16 * 1024;
/** Clients move their cache marks along the last messages. */
const LAST_MESSAGES = 4;
/** Packing or unpacking more would block other requests. */
const MAX_MESSAGES = 5_000;
const MAX_FRONT_BYTES = 5 * 1024 * 1024;
/** Fronts that differ only after their last whole block. */
const MAX_SIMILAR = 8;
/** Each front that may be the one of a body is compared with up to 16 KB of it. */
const MAX_COMPARED = 64;

/** Makes an empty memory. */
export function makeKnownFronts<Known>(options: FrontOptions<Known>): KnownFronts<Known> {
  const table = new FrontTable(options);
  return {
    find: (body, codec) => {
      // Hashing a body of 4 MB takes milliseconds.
      if (!table.hasAny(codec)) return undefined;
      const candidates = frontKeys(body, codec).flatMap((key) => table.withKey(key));
      const longest = longestOf(candidates.slice(0, MAX_COMPARED), body);
      return longest && table.use(longest);
    },
    keep: (body, codec, found) => {
      const { split, front, later } = found;
      const count = split.items.length - LAST_MESSAGES;
      if (!isWorthwhile(body) || count > MAX_MESSAGES) return undefined;
      const longer = count < 1 ? undefined : splitPrefix(split, codec.messagesField, count);
      const isShared = front !== undefined && isSharedBy(front, later);
      if (longer === undefined || longer.to - (front?.split.to ?? 0) < BLOCK_BYTES) {
        return front && table.change(front, { after: new Map(later), ...(isShared && { isShared }) });
      }
      if (front !== undefined && !isShared) table.removeFront(front);
      const grown = grownFront(longer, found, isShared);
      table.add({ ...nameOf(body, codec, longer.to), front: grown });
      return grown;
    },
    add: (name, front) => table.add({ ...name, front }),
    change: (front, facts) => void table.change(front, facts),
  };
}

/** A shared front keeps its stored version. */
function grownFront<Known>(split: SplitPrefix, { front, later }: Found<Known>, isShared: boolean): KnownFront<Known> {
  const { messages = [], counted, saved } = front ?? {};
  const count = split.items.length;
  return {
    split,
    messages: [...messages, ...later.map(([, message]) => message)].slice(0, count),
    after: new Map(later.slice(count - messages.length)),
    ...(counted && { counted }),
    ...(saved && !isShared && { saved }),
  };
}

function isSharedBy<Known>({ after, isShared = false }: KnownFront<Known>, [next]: Found<Known>["later"]): boolean {
  return isShared || (after.size > 0 && next !== undefined && !after.has(next[0]));
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

/** A front that was not used for a while. */
interface PackedFront<Known>
  extends Pick<SplitPrefix, "fields" | "listFrom" | "to">,
    Pick<KnownFront<Known>, "saved" | "isShared"> {
  readonly messages: Packed<Known>;
  /** Hashes of the bytes of the messages after it. */
  readonly after: readonly string[];
  /** Start and end of each message. */
  readonly spans: Uint32Array;
  readonly counted: PackedCounts | undefined;
}

interface Entry<Known> extends FrontName {
  /** One of the two is set. */
  front?: KnownFront<Known> | undefined;
  packed?: PackedFront<Known> | undefined;
  /** The bytes that are counted for it now. */
  weight?: number;
}

/** All fronts, the least recently used first. */
class FrontTable<Known> {
  readonly #options: Required<FrontOptions<Known>>;
  readonly #byKey = new Map<string, readonly Entry<Known>[]>();
  readonly #inUse = new Map<KnownFront<Known>, Entry<Known>>();
  readonly #packed = new Set<Entry<Known>>();
  /** The number of fronts by format. */
  readonly #ofFormat = new Map<string, number>();
  #usedBytes = 0;
  #packedBytes = 0;

  constructor({ limits = LIMITS, ...options }: FrontOptions<Known>) {
    this.#options = { ...options, limits };
  }

  /** Whether there are fronts of a format. */
  hasAny({ id }: Codec): boolean {
    return (this.#ofFormat.get(id) ?? 0) > 0;
  }

  withKey(key: string): readonly Entry<Known>[] {
    return this.#byKey.get(key) ?? [];
  }

  add(entry: Entry<Known>): void {
    const similar = [...this.withKey(entry.key), entry];
    this.#byKey.set(entry.key, similar);
    this.#count(entry, 1);
    this.use(entry);
    for (const oldest of similar.slice(0, -MAX_SIMILAR)) this.#remove(oldest);
  }

  removeFront(front: KnownFront<Known>): void {
    const entry = this.#inUse.get(front);
    if (entry !== undefined) this.#remove(entry);
  }

  change(front: KnownFront<Known>, facts: Partial<KnownFront<Known>>): KnownFront<Known> {
    const changed = Object.assign(front, facts);
    const entry = this.#inUse.get(front);
    if (entry !== undefined) this.use(entry);
    return changed;
  }

  /** Makes this front the most recently used one, and packs the oldest ones if there are too many. A front that is too large is dropped. */
  use(entry: Entry<Known>): KnownFront<Known> {
    this.#forget(entry);
    const front = entry.front ?? this.#unpack(entry);
    const weight = weightOf(front, this.#options.bytesOf);
    if (weight > MAX_FRONT_BYTES) {
      this.#remove(entry);
      return front;
    }
    this.#inUse.set(front, entry);
    entry.weight = weight;
    this.#usedBytes += weight;
    this.#shrink(front);
    return front;
  }

  #shrink(used: KnownFront<Known>): void {
    const { limits } = this.#options;
    for (const [oldest, entry] of this.#inUse) {
      if (this.#usedBytes <= limits.used || oldest === used) break;
      this.#pack(entry, oldest);
    }
    for (const oldest of this.#packed) {
      if (this.#packedBytes <= limits.packed) break;
      this.#remove(oldest);
    }
  }

  #remove(entry: Entry<Known>): void {
    this.#forget(entry);
    const all = this.withKey(entry.key);
    const others = all.filter((each) => each !== entry);
    this.#count(entry, others.length - all.length);
    if (others.length === 0) this.#byKey.delete(entry.key);
    else this.#byKey.set(entry.key, others);
  }

  #count({ key }: Entry<Known>, change: number): void {
    const format = key.slice(0, key.indexOf("/"));
    this.#ofFormat.set(format, (this.#ofFormat.get(format) ?? 0) + change);
  }

  #forget(entry: Entry<Known>): void {
    const { front, weight = 0 } = entry;
    if (front !== undefined && this.#inUse.delete(front)) this.#usedBytes -= weight;
    if (this.#packed.delete(entry)) this.#packedBytes -= weight;
  }

  #pack(entry: Entry<Known>, { split, messages, after, counted, ...facts }: KnownFront<Known>): void {
    this.#forget(entry);
    const { items, ...rest } = split;
    const packed: PackedFront<Known> = {
      ...rest,
      ...facts,
      messages: this.#options.pack([...messages, ...after.values()]),
      after: [...after.keys()],
      spans: Uint32Array.from(items.flatMap(({ from, to }) => [from, to])),
      counted: counted && packCounts(counted),
    };
    entry.front = undefined;
    entry.packed = packed;
    entry.weight = packedWeightOf(packed);
    this.#packed.add(entry);
    this.#packedBytes += entry.weight;
  }

  #unpack(entry: Entry<Known>): KnownFront<Known> {
    const { packed } = entry;
    if (packed === undefined) throw new TypeError("a front is neither in use nor packed");
    const { fields, listFrom, to, messages, after, spans, counted, ...facts } = packed;
    const all = messages.unpack();
    const items = Array.from({ length: spans.length / 2 }, (_, index) => ({
      from: spans[2 * index] ?? 0,
      to: spans[2 * index + 1] ?? 0,
    }));
    const front: KnownFront<Known> = {
      ...facts,
      split: { fields, items, listFrom, to },
      messages: all.slice(0, items.length),
      after: new Map(all.slice(items.length).map((message, index) => [after[index] ?? "", message])),
      ...(counted && { counted: unpackCounts(counted) }),
    };
    entry.front = front;
    entry.packed = undefined;
    return front;
  }
}

/** An entry's key, maps and objects take about 1 KB; a field, or the hash of a message after the front, up to 400 bytes. */
const ENTRY_BYTES = 1024;
const NAME_BYTES = 400;
/** A message's span and its list of sizes, and the sizes of a block. */
const SPAN_BYTES = 150;
const SIZE_BYTES = 80;

function weightOf<Known>(
  { split, messages, after, counted }: KnownFront<Known>,
  bytesOf: FrontOptions<Known>["bytesOf"],
): number {
  const names = split.fields.size + after.size + (counted?.after.size ?? 0);
  let sum = ENTRY_BYTES + names * NAME_BYTES + messages.length * SPAN_BYTES;
  for (const message of messages) sum += bytesOf(message);
  for (const message of after.values()) sum += bytesOf(message);
  for (const sizes of counted?.sizes ?? []) sum += sizes.length * SIZE_BYTES;
  for (const sizes of counted?.after.values() ?? []) sum += sizes.length * SIZE_BYTES;
  return sum;
}

function packedWeightOf<Known>({ fields, messages, after, spans, counted }: PackedFront<Known>): number {
  const names = fields.size + after.length + (counted?.after.length ?? 0);
  return ENTRY_BYTES + names * NAME_BYTES + messages.byteLength + spans.byteLength + (counted?.sizes.byteLength ?? 0);
}

import { isJsonObject, LruMap, tryParseJson } from "@longhaul/conversation/advanced";
import type { Tokenizer } from "@longhaul/models/advanced";
import { type Counted, type Packed, packSizes, unpackSizes } from "./known-fronts.ts";
import { contentPrintOf, type KnownMessage, sha256 } from "./known-messages.ts";

/** Everything about a message except its hashes. Few messages differ in it. */
interface Shape {
  readonly facts: Omit<KnownMessage, "fingerprint" | "looseFingerprint" | "clearable" | "contentPrint">;
  /** Whether its loose fingerprint is the same. */
  readonly isSame: boolean;
  /** Its clearable content with `HASH_SIGN` in the place of each hash. */
  readonly clearable: string;
}

const MAX_SHAPES = 10_000;
/** Few messages have more clearable parts. Their shapes are not kept for others: ten thousand of them could fill the memory. */
const LONG_CLEARABLE = 100;
const HASH_BYTES = 32;
/** The hashes of clearable content are shorter. */
const CLEARABLE_HASH = /[0-9a-f]{32}/g;
const CLEARABLE_HASH_BYTES = 16;
const HASH_SIGN = "#";

/** Packs known messages: hashes as bytes, and one object for all messages of the same shape. */
export interface Packing {
  pack(messages: readonly KnownMessage[]): Packed<KnownMessage>;
  /** Writes messages and their sizes for the store. */
  write(facts: FrontFacts): Uint8Array;
  /** Reads what `write` wrote. Returns undefined for anything else. */
  read(bytes: Uint8Array): FrontFacts | undefined;
}

/** The facts about a front that are stored. */
interface FrontFacts {
  readonly messages: readonly KnownMessage[];
  readonly counted: Pick<Counted, "tokenizer" | "sizes">;
}

/** Raise it whenever the facts about a message, its hashes or its sizes change: stored facts of other versions are ignored. */
export const FACTS_VERSION = 2;

export function makePacking(): Packing {
  const shapes = new LruMap<Shape>(MAX_SHAPES);
  const shapeOf = (message: KnownMessage): Shape => {
    const shape = bareShapeOf(message);
    if (isLong(shape.clearable)) return shape;
    const key = JSON.stringify(shape);
    const known = shapes.get(key) ?? shape;
    shapes.set(key, known);
    return known;
  };
  return {
    pack: (messages) => {
      const packed = messages.map(shapeOf);
      const hashes = Buffer.from(messages.flatMap(hashesIn).join(""), "hex");
      const long = packed.reduce((sum, { clearable }) => sum + (isLong(clearable) ? clearable.length : 0), 0);
      const byteLength = hashes.byteLength + packed.length * BYTES_PER_ENTRY + long;
      return { byteLength, unpack: () => unpack(packed, hashes) };
    },
    write: ({ messages, counted }) => {
      const all = messages.map(shapeOf);
      const used = [...new Set(all)];
      const indexes = new Map(used.map((shape, index) => [shape, index]));
      const json = JSON.stringify({
        shapes: used,
        shapeOf: all.map((shape) => indexes.get(shape)),
        hashes: Buffer.from(messages.flatMap(hashesIn).join(""), "hex").toString("base64"),
        tokenizer: counted.tokenizer,
        sizes: [...packSizes(counted.sizes)],
      });
      return Buffer.from(`${checksumOf(json)}${json}`);
    },
    read: (bytes) => {
      const text = Buffer.from(bytes).toString();
      const json = text.slice(CHECKSUM_CHARACTERS);
      const facts = text.startsWith(checksumOf(json)) ? tryParseJson(json) : undefined;
      if (!isFacts(facts)) return undefined;
      const all = facts.shapeOf.flatMap((index) => facts.shapes[index] ?? []);
      const messages = unpack(all, Buffer.from(facts.hashes, "base64"));
      const sizes = unpackSizes(Float64Array.from(facts.sizes));
      return { messages, counted: { tokenizer: facts.tokenizer, sizes } };
    },
  };
}

function bareShapeOf({ fingerprint, looseFingerprint, clearable, contentPrint: _, ...facts }: KnownMessage): Shape {
  return {
    facts,
    isSame: looseFingerprint === fingerprint,
    clearable: clearable.replaceAll(CLEARABLE_HASH, HASH_SIGN),
  };
}

const CHECKSUM_CHARACTERS = 64;

/** Differs if anything else wrote the facts, or another version. */
function checksumOf(json: string): string {
  return sha256(`${FACTS_VERSION}/${json}`);
}

function isLong(clearable: string): boolean {
  return clearable.length > LONG_CLEARABLE;
}

interface WrittenFacts {
  readonly shapes: readonly Shape[];
  readonly shapeOf: readonly number[];
  readonly hashes: string;
  readonly tokenizer: Tokenizer;
  readonly sizes: readonly number[];
}

/** The checksum has proved the rest. */
function isFacts(value: unknown): value is WrittenFacts {
  return isJsonObject(value);
}

const BYTES_PER_ENTRY = 8;

function hashesIn({ fingerprint, looseFingerprint, clearable }: KnownMessage): string[] {
  const loose = looseFingerprint === fingerprint ? [] : [looseFingerprint];
  return [fingerprint, ...loose, ...(clearable.match(CLEARABLE_HASH) ?? [])];
}

function unpack(shapes: readonly Shape[], hashes: Buffer): KnownMessage[] {
  let at = 0;
  const next = (bytes: number) => {
    at += bytes;
    return hashes.toString("hex", at - bytes, at);
  };
  return shapes.map(({ facts, isSame, clearable: template }) => {
    const fingerprint = next(HASH_BYTES);
    const looseFingerprint = isSame ? fingerprint : next(HASH_BYTES);
    const clearable = template.replaceAll(HASH_SIGN, () => next(CLEARABLE_HASH_BYTES));
    return {
      fingerprint,
      looseFingerprint,
      clearable,
      contentPrint: contentPrintOf(looseFingerprint, clearable),
      ...facts,
    };
  });
}

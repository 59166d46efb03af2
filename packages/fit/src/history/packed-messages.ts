import { isJsonObject, LruMap, tryParseJson } from "@longhaul/conversation/advanced";
import { TOKENIZER_FAMILIES, type Tokenizer } from "@longhaul/models/advanced";
import { type Counted, type Packed, packSizes, unpackSizes } from "./known-fronts.ts";
import { contentPrintOf, type KnownMessage } from "./known-messages.ts";

/** Everything about a message except its hashes. Few messages differ in it. */
interface Shape {
  readonly facts: Omit<KnownMessage, "fingerprint" | "looseFingerprint" | "clearable" | "contentPrint">;
  /** Whether its loose fingerprint is the same. */
  readonly isSame: boolean;
  /** Its clearable content with `HASH_SIGN` in the place of each hash. */
  readonly clearable: string;
}

const MAX_SHAPES = 10_000;
const HASH = /[0-9a-f]{64}/g;
const HASH_BYTES = 32;
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
export const FACTS_VERSION = 1;

export function makePacking(): Packing {
  const shapes = new LruMap<Shape>(MAX_SHAPES);
  const shapeOf = (message: KnownMessage): Shape => {
    const shape = bareShapeOf(message);
    const key = JSON.stringify(shape);
    const known = shapes.get(key) ?? shape;
    shapes.set(key, known);
    return known;
  };
  return {
    pack: (messages) => {
      const packed = messages.map(shapeOf);
      const hashes = Buffer.from(messages.flatMap(hashesIn).join(""), "hex");
      return { byteLength: hashes.byteLength + packed.length * BYTES_PER_ENTRY, unpack: () => unpack(packed, hashes) };
    },
    write: ({ messages, counted }) => {
      const all = messages.map(shapeOf);
      const used = [...new Set(all)];
      const indexes = new Map(used.map((shape, index) => [shape, index]));
      return Buffer.from(
        JSON.stringify({
          version: FACTS_VERSION,
          shapes: used,
          shapeOf: all.map((shape) => indexes.get(shape)),
          hashes: Buffer.from(messages.flatMap(hashesIn).join(""), "hex").toString("base64"),
          tokenizer: counted.tokenizer,
          sizes: [...packSizes(counted.sizes)],
        }),
      );
    },
    read: (bytes) => {
      const facts = tryParseJson(Buffer.from(bytes).toString());
      if (!isFacts(facts)) return undefined;
      const all = facts.shapeOf.flatMap((index) => facts.shapes[index] ?? []);
      const messages = unpack(all, Buffer.from(facts.hashes, "base64"));
      const sizes = unpackSizes(Float64Array.from(facts.sizes));
      return { messages, counted: { tokenizer: facts.tokenizer, sizes } };
    },
  };
}

function bareShapeOf({ fingerprint, looseFingerprint, clearable, contentPrint: _, ...facts }: KnownMessage): Shape {
  return { facts, isSame: looseFingerprint === fingerprint, clearable: clearable.replaceAll(HASH, HASH_SIGN) };
}

interface WrittenFacts {
  readonly shapes: readonly Shape[];
  readonly shapeOf: readonly number[];
  readonly hashes: string;
  readonly tokenizer: Tokenizer;
  readonly sizes: readonly number[];
}

function isFacts(value: unknown): value is WrittenFacts {
  if (!isJsonObject(value) || value.version !== FACTS_VERSION) return false;
  const { shapes, shapeOf, hashes, tokenizer, sizes } = value;
  const areLists = Array.isArray(shapes) && Array.isArray(shapeOf) && Array.isArray(sizes);
  return areLists && typeof hashes === "string" && typeof tokenizer === "string" && tokenizer in TOKENIZER_FAMILIES;
}

const BYTES_PER_ENTRY = 8;

function hashesIn({ fingerprint, looseFingerprint, clearable }: KnownMessage): string[] {
  const loose = looseFingerprint === fingerprint ? [] : [looseFingerprint];
  return [fingerprint, ...loose, ...(clearable.match(HASH) ?? [])];
}

function unpack(shapes: readonly Shape[], hashes: Buffer): KnownMessage[] {
  let at = 0;
  const next = () => {
    at += HASH_BYTES;
    return hashes.toString("hex", at - HASH_BYTES, at);
  };
  return shapes.map(({ facts, isSame, clearable: template }) => {
    const fingerprint = next();
    const looseFingerprint = isSame ? fingerprint : next();
    const clearable = template.replaceAll(HASH_SIGN, next);
    return {
      fingerprint,
      looseFingerprint,
      clearable,
      contentPrint: contentPrintOf(looseFingerprint, clearable),
      ...facts,
    };
  });
}

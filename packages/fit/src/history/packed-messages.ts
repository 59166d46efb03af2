import { isJsonObject, tryParseJson } from "@longhaul/conversation/advanced";
import type { Tokenizer } from "@longhaul/models/advanced";
import type { FrontName } from "@longhaul/store";
import manifest from "../../package.json" with { type: "json" };
import { type Counted, packSizes, unpackSizes } from "./counted.ts";
import type { Packed } from "./known-fronts.ts";
import { contentPrintOf, type KnownMessage, sha256 } from "./known-messages.ts";

/** Everything about a message except its hashes and its numbers. Few messages of a conversation differ in it. */
interface Shape {
  readonly facts: Omit<
    KnownMessage,
    "fingerprint" | "looseFingerprint" | "clearable" | "contentPrint" | "imageBytes" | "makeUp"
  >;
  readonly kinds: readonly KnownMessage["makeUp"][number]["kind"][];
  /** Whether its loose fingerprint is the same. */
  readonly isSame: boolean;
  /** Its clearable content with `HASH_SIGN` in the place of each hash. */
  readonly clearable: string;
}

const HASH_BYTES = 32;
/** The hashes of clearable content are shorter. */
const CLEARABLE_HASH = /[0-9a-f]{32}/g;
const CLEARABLE_HASH_BYTES = 16;
const HASH_SIGN = "#";

/** Messages as their shapes, hashes and numbers. */
interface Columns {
  readonly shapes: readonly Shape[];
  /** The index of each message's shape. */
  readonly shapeOf: Uint32Array;
  readonly hashes: Buffer;
  /** The size of the largest image, for messages with images, and the shares of the kinds, for messages with several. */
  readonly numbers: Float64Array;
}

/** Packs known messages. */
export function packMessages(messages: readonly KnownMessage[]): Packed<KnownMessage> {
  const columns = columnsOf(messages);
  const { shapes, shapeOf, hashes, numbers } = columns;
  const byteLength = shapeOf.byteLength + hashes.byteLength + numbers.byteLength + shapes.reduce(addShape, 0);
  return { byteLength, unpack: () => messagesOf(columns) };
}

/** Of a shape's object, without its texts. */
const SHAPE_BYTES = 400;

function addShape(sum: number, { kinds, clearable }: Shape): number {
  return sum + SHAPE_BYTES + kinds.length * 8 + clearable.length;
}

/** The facts about a front that are stored. */
interface FrontFacts {
  readonly messages: readonly KnownMessage[];
  readonly counted: Pick<Counted, "tokenizer" | "sizes">;
}

/** Writes the facts about a front for the store. */
export function writeFacts(name: FrontName, { messages, counted }: FrontFacts): Uint8Array {
  const { shapes, shapeOf, hashes, numbers } = columnsOf(messages);
  const json = JSON.stringify({
    shapes,
    shapeOf: [...shapeOf],
    hashes: hashes.toString("base64"),
    numbers: [...numbers],
    tokenizer: counted.tokenizer,
    sizes: [...packSizes(counted.sizes)],
  });
  return Buffer.from(`${checksumOf(name, json)}${json}`);
}

/** Reads what `writeFacts` wrote for the same front. Returns undefined for anything else. */
export function readFacts(name: FrontName, bytes: Uint8Array): FrontFacts | undefined {
  const text = Buffer.from(bytes).toString();
  const json = text.slice(CHECKSUM_CHARACTERS);
  const facts = text.startsWith(checksumOf(name, json)) ? tryParseJson(json) : undefined;
  if (!isFacts(facts)) return undefined;
  const messages = messagesOf({
    shapes: facts.shapes,
    shapeOf: Uint32Array.from(facts.shapeOf),
    hashes: Buffer.from(facts.hashes, "base64"),
    numbers: Float64Array.from(facts.numbers),
  });
  return { messages, counted: { tokenizer: facts.tokenizer, sizes: unpackSizes(Float64Array.from(facts.sizes)) } };
}

/**
 * Stored facts of other versions are ignored. Within a release, raise it whenever the facts about a message, its hashes or its sizes
 * change.
 */
export const FACTS_VERSION = 3;

const CHECKSUM_CHARACTERS = 64;

/** Differs if anything else wrote the facts, another version, or for another front. */
function checksumOf({ key, rest, bytes }: FrontName, json: string): string {
  return sha256(`${manifest.version}/${FACTS_VERSION}/${key}/${rest}/${bytes}/${json}`);
}

interface WrittenFacts {
  readonly shapes: readonly Shape[];
  readonly shapeOf: readonly number[];
  readonly hashes: string;
  readonly numbers: readonly number[];
  readonly tokenizer: Tokenizer;
  readonly sizes: readonly number[];
}

/** The checksum has proved the rest. */
function isFacts(value: unknown): value is WrittenFacts {
  return isJsonObject(value);
}

function columnsOf(messages: readonly KnownMessage[]): Columns {
  const shapes: Shape[] = [];
  const indexes = new Map<string, number>();
  const indexOf = (message: KnownMessage) => {
    const shape = bareShapeOf(message);
    const key = keyOf(shape);
    const known = indexes.get(key);
    if (known !== undefined) return known;
    indexes.set(key, shapes.length);
    return shapes.push(shape) - 1;
  };
  return {
    shapeOf: Uint32Array.from(messages, indexOf),
    shapes,
    hashes: Buffer.from(messages.flatMap(hashesIn).join(""), "hex"),
    numbers: Float64Array.from(messages.flatMap(numbersIn)),
  };
}

/** Facts are numbers, booleans and roles, always in the same order. As JSON it would take three times as long. */
function keyOf({ facts, kinds, isSame, clearable }: Shape): string {
  return `${Object.values(facts).join()} ${kinds.join()} ${isSame} ${clearable}`;
}

function bareShapeOf(message: KnownMessage): Shape {
  const { fingerprint, looseFingerprint, clearable, contentPrint: _, imageBytes: _bytes, makeUp, ...facts } = message;
  return {
    facts,
    kinds: makeUp.map(({ kind }) => kind),
    isSame: looseFingerprint === fingerprint,
    clearable: clearable.replaceAll(CLEARABLE_HASH, HASH_SIGN),
  };
}

function hashesIn({ fingerprint, looseFingerprint, clearable }: KnownMessage): string[] {
  const prints = looseFingerprint === fingerprint ? [fingerprint] : [fingerprint, looseFingerprint];
  return clearable === "" ? prints : [...prints, ...(clearable.match(CLEARABLE_HASH) ?? [])];
}

function numbersIn({ images, imageBytes, makeUp }: KnownMessage): number[] {
  return [...(images > 0 ? [imageBytes] : []), ...(makeUp.length > 1 ? makeUp.map(({ share }) => share) : [])];
}

function messagesOf({ shapes, shapeOf, hashes, numbers }: Columns): KnownMessage[] {
  let at = 0;
  const nextHash = (bytes: number) => {
    at += bytes;
    return hashes.toString("hex", at - bytes, at);
  };
  let numbersAt = 0;
  const nextNumber = () => numbers[numbersAt++] ?? 0;
  const whole = shapes.map(({ kinds }) => kinds.map((kind) => ({ kind, share: 1 })));
  return Array.from(shapeOf, (index) => {
    const shape = shapes[index];
    if (shape === undefined) throw new TypeError(`no shape ${index}`);
    const { facts, kinds, isSame, clearable: template } = shape;
    const fingerprint = nextHash(HASH_BYTES);
    const looseFingerprint = isSame ? fingerprint : nextHash(HASH_BYTES);
    const clearable = template.replaceAll(HASH_SIGN, () => nextHash(CLEARABLE_HASH_BYTES));
    return {
      fingerprint,
      looseFingerprint,
      clearable,
      contentPrint: contentPrintOf(looseFingerprint, clearable),
      ...facts,
      imageBytes: facts.images > 0 ? nextNumber() : 0,
      makeUp: kinds.length > 1 ? kinds.map((kind) => ({ kind, share: nextNumber() })) : (whole[index] ?? []),
    };
  });
}

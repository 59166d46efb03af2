import type { JsonObject, JsonValue, WireId } from "@longhaul/conversation";

/** What a format's vendor does with a conversation apart from answering it. */
export interface Traits {
  /** The vendor's other format: its bodies come to this one's path as well, and reasoning is given there alone. */
  readonly sibling?: Sibling;
  /** Where a body says how long the answer may be: in a field, or in the first of some fields inside an object. */
  readonly limitFields: readonly LimitField[];
  /** Fields that a gateway sees to itself, for every upstream. */
  readonly gatewayFields: readonly string[];
  /** How requests refer to answers that the vendor keeps; absent if it keeps none. */
  readonly references?: References;
  /** Fields that ask the vendor to keep nothing. */
  readonly unkept: JsonObject;
  /** How the vendor is asked to compact: by an edit that rides with a request, by an item that stands in it, or not at all. */
  readonly compaction: "edit" | "item" | "none";
  /** Whether the vendor has betas that a request names in a header. */
  readonly hasBetas: boolean;
  /** The field of a conversation that the vendor continues by itself. */
  readonly threadField?: string;
  /** How a client says what is to be cached, message by message. */
  readonly cacheMarks?: CacheMarks;
}

/** A field that says how long an answer may be, or the object that holds such fields. */
export type LimitField = readonly [field: string, ...inside: string[]];

/** The other format of a vendor. */
interface Sibling {
  readonly wire: WireId;
  /** Fields that it has no words for. */
  readonly lacks: readonly string[];
}

/** How a request refers by id to what its vendor keeps. */
export interface References {
  /** Whether a body goes on from something that is kept, so that it doesn't hold its whole history. */
  continues(body: JsonObject): boolean;
  /** Lists the items of an input or an output. A plain text is one message of the user. */
  itemsIn(list: JsonValue | undefined): readonly JsonObject[];
  /** Returns the id of the kept item that an item only names. */
  referenceIn(item: JsonObject): string | undefined;
  /** Spells an item of a request as the vendor lists it later. */
  listedItem(item: JsonObject, serial: string): JsonObject;
}

/** The field that marks a block, or a whole request, as the end of what is to be cached. */
export interface CacheMarks {
  readonly field: string;
  readonly mark: JsonObject;
  readonly hourMark: JsonObject;
  /** How many a request may have. */
  readonly max: number;
}

/** How a request of one format speaks of thinking. */
export interface ReasoningWords {
  /** The fields of a body that say something about it, or may do so. */
  readonly fields: readonly string[];
  /** Where it says how hard to think, and which values mean something there. */
  readonly known: readonly KnownValues[];
  /** Whether thinking travels with a proof of its vendor; else it travels as plain text, and whole. */
  readonly isSigned: boolean;
  /** Whether all that a body says is that the client doesn't want to see it. */
  excludesOnly(body: JsonObject): boolean;
}

/** A place in a body, with dots between its fields, and which values mean something there. */
export type KnownValues = readonly [path: string, isKnown: (value: JsonValue) => boolean];

import type { JsonObject, JsonValue, WireId } from "@longhaul/conversation";

/** How clients reach a format over HTTP: its paths and headers, and the bodies that hold no conversation. */
export interface Api {
  /** The paths at which a model is asked. Where two formats share one, the first in the list of codecs counts. */
  readonly endpoints: readonly ApiEndpoint[];
  /** The pattern of the version that begins the other paths. */
  readonly version: string;
  /** Paths that are passed on as they are; every other path is refused. */
  readonly passed: PassedPaths;
  /** The header that only this format's clients send: it tells them from others at paths that are shared. */
  readonly clientHeader?: string;
  /** Targets that mean this format even if nothing is served there, so that the client can read the error. */
  readonly ownPaths: RegExp;
  /** The header in which the key belongs that clients may send in the query. */
  readonly queryKeyHeader?: string;
  /** Headers that every request needs, for requests whose client speaks another format. */
  readonly headers: Readonly<Record<string, string>>;
  /** Whether clients may ask for a WebSocket at the path that generates. */
  readonly hasSocket: boolean;
  /** OpenTelemetry's name for asking a model. */
  readonly operation: "chat" | "generate_content";
  /** Whether a stream is one JSON list instead of events. @default never */
  streamsList?(query: QueryFields): boolean;
  /** Writes the answer to a request for a count. */
  encodeCount(tokens: number): JsonObject;
  /** Returns the request whose prompt is to be counted, if the body holds it one level down. */
  countedRequest?(body: JsonObject): JsonObject | undefined;
  encodeModel(model: ListedModel): JsonObject;
  /** Writes the page of a list of models that a client asks for. */
  encodeModels(models: readonly ListedModel[], query: QueryFields): JsonObject;
  /** Writes a client's rate limit as the headers in which its SDKs look for it. */
  encodeRateLimit(limit: RateLimit): Readonly<Record<string, string>>;
}

/** A path of the model API. Named groups of the pattern say what the path says: `model`, `stream`. */
interface ApiEndpoint {
  readonly method: "GET" | "POST";
  readonly path: RegExp;
  readonly action: "generate" | "count-tokens" | "list-models";
  /** Whether only clients that send `clientHeader` mean it. */
  readonly isShared?: boolean;
  /** Whether the path says if the answer is streamed. */
  readonly selectsStream?: boolean;
}

/** Methods and template of a path after the version, as in `GET|DELETE /files/{id}`. `{name}` is one segment, `{model}` one or more. */
export type PathPattern = `${string} /${string}`;

/** The paths that are passed on. */
interface PassedPaths {
  /** Paths at which a model or a classifier answers; the vendor keeps nothing. */
  readonly calls: readonly PathPattern[];
  /** Paths at which the vendor keeps something for the account whose key is used. */
  readonly stateful: readonly PathPattern[];
  /** Stateful paths that another format has, too: only clients that send `clientHeader` mean these. */
  readonly shared: readonly PathPattern[];
}

/** The fields of a query, as `URLSearchParams` gives them. */
export interface QueryFields {
  get(name: string): string | null;
}

/** A model as a list of models tells it. */
export interface ListedModel {
  readonly id: string;
  readonly vendor: string;
  readonly inputTokens: number;
  readonly outputTokens: number;
}

/** How many requests a client has left, and until when. */
export interface RateLimit {
  readonly requests: number;
  readonly remaining: number;
  /** When the count begins again, in ISO 8601. */
  readonly resetsAt: string;
  readonly resetSeconds: number;
}

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
  readonly noStoreFields: JsonObject;
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
export interface ReasoningFields {
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

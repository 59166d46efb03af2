import type { JsonObject, JsonValue, WireId } from "@longhaul/conversation";

/** A format's HTTP API: its paths, its headers, and the bodies that contain no conversation. */
export interface Api {
  /** The model endpoints. If two formats share a path, the first codec in `CODECS` wins. */
  readonly endpoints: readonly ApiEndpoint[];
  /** The path at which a model replies; `{model}` is replaced with its name in formats that have it there. */
  readonly generatePath: string;
  /** Pattern of the version prefix of the passed paths. */
  readonly version: string;
  /** Paths that are forwarded unchanged. Every other path is rejected. */
  readonly passed: PassedPaths;
  /** A header that only this format's clients send. It identifies them at paths that formats share. */
  readonly clientHeader?: string;
  /** Paths whose errors are written in this format, even if nothing is served there. */
  readonly ownPaths: RegExp;
  /** The header for an API key that the client sent in the query string. */
  readonly queryKeyHeader?: string;
  /** Headers to add to requests whose client speaks another format. */
  readonly headers: Readonly<Record<string, string>>;
  /** Whether the generate endpoint accepts WebSocket upgrades. */
  readonly hasSocket: boolean;
  /** OpenTelemetry's operation name for a model call. */
  readonly operation: "chat" | "generate_content";
  /** Whether the client gets a stream as one JSON array instead of server-sent events. @default never */
  streamsList?(query: QueryFields): boolean;
  /** Encodes the response to a token-count request. */
  encodeCount(tokens: number): JsonObject;
  /** Returns the request to count, if the body nests it one level down. */
  countedRequest?(body: JsonObject): JsonObject | undefined;
  encodeModel(model: ListedModel): JsonObject;
  /** Encodes the requested page of the model list. */
  encodeModels(models: readonly ListedModel[], query: QueryFields): JsonObject;
  /** Encodes a rate limit as the headers that the format's SDKs read. */
  encodeRateLimit(limit: RateLimit): Readonly<Record<string, string>>;
}

/** One model endpoint. The path pattern may have the named groups `model` and `stream`. */
interface ApiEndpoint {
  readonly method: "GET" | "POST";
  readonly path: RegExp;
  readonly action: "generate" | "count-tokens" | "list-models";
  /** Whether the endpoint applies only to clients that send `clientHeader`. */
  readonly isShared?: boolean;
  /** Whether the path, not the body, selects streaming. */
  readonly selectsStream?: boolean;
}

/** Methods and path after the version, such as `GET|DELETE /files/{id}`. `{name}` matches one segment, `{model}` one or more. */
export type PathPattern = `${string} /${string}`;

/** Paths that are forwarded unchanged. */
interface PassedPaths {
  /** Stateless calls to a model or a classifier. */
  readonly calls: readonly PathPattern[];
  /** Paths where the vendor stores something for the account that owns the API key. */
  readonly stateful: readonly PathPattern[];
  /** Stateful paths that another format also has. They apply only to clients that send `clientHeader`. */
  readonly shared: readonly PathPattern[];
}

/** The part of `URLSearchParams` that codecs use. */
export interface QueryFields {
  get(name: string): string | null;
}

/** A model in a model list. */
export interface ListedModel {
  readonly id: string;
  readonly vendor: string;
  readonly inputTokens: number;
  readonly outputTokens: number;
}

/** A client's request quota. */
export interface RateLimit {
  readonly requests: number;
  readonly remaining: number;
  /** Time of the next reset, in ISO 8601. */
  readonly resetsAt: string;
  readonly resetSeconds: number;
}

/** Vendor features beyond answering: caching, compaction, stored responses. */
export interface Traits {
  /** The vendor's other format. Clients also send its bodies to this format's path, and only that format returns reasoning. */
  readonly sibling?: Sibling;
  /** Fields that limit the length of the reply. */
  readonly limitFields: readonly LimitField[];
  /** Fields that the gateway implements itself, for every upstream. */
  readonly gatewayFields: readonly string[];
  /** How requests refer to stored responses. Absent if the vendor stores none. */
  readonly references?: References;
  /** Fields that make the vendor store nothing. */
  readonly noStoreFields: JsonObject;
  /** How to request vendor compaction: with a context edit, with an input item, or not at all. */
  readonly compaction: "edit" | "item" | "none";
  /** Whether requests name betas in a header. */
  readonly hasBetas: boolean;
  /** The field that names a conversation stored by the vendor. */
  readonly threadField?: string;
  /** How a client marks content for the prompt cache. */
  readonly cacheMarks?: CacheMarks;
}

/** A field that limits the reply's length, or an object followed by the fields to look for inside it. */
export type LimitField = readonly [field: string, ...inside: string[]];

/** A vendor's other format. */
interface Sibling {
  readonly wire: WireId;
  /** Fields that the other format cannot express. */
  readonly lacks: readonly string[];
}

/** How a request refers to stored items by id. */
export interface References {
  /** Whether a body continues a stored response, so it does not contain the whole history. */
  continues(body: JsonObject): boolean;
  /** Lists the items of an input or output. Plain text counts as one user message. */
  itemsIn(list: JsonValue | undefined): readonly JsonObject[];
  /** Returns the id of the stored item if this item is only a reference. */
  referenceIn(item: JsonObject): string | undefined;
  /** Returns a request's item in the form in which the vendor lists it later. */
  listedItem(item: JsonObject, serial: string): JsonObject;
}

/** The field that marks a block, or a whole request, as the end of a cached prefix. */
export interface CacheMarks {
  readonly field: string;
  readonly mark: JsonObject;
  readonly hourMark: JsonObject;
  /** Maximum number of marks in a request. */
  readonly max: number;
}

/** The reasoning fields of a request. */
export interface ReasoningFields {
  /** Top-level fields that may contain reasoning settings. */
  readonly fields: readonly string[];
  /** Places that control the reasoning effort, with the values known there. */
  readonly known: readonly KnownValues[];
  /** Whether the vendor signs thinking. Unsigned thinking is plain text. */
  readonly isSigned: boolean;
  /** Whether a body's only reasoning setting is to hide the reasoning from the client. */
  excludesOnly(body: JsonObject): boolean;
}

/** A dotted path in a body and a test for the values known there. */
export type KnownValues = readonly [path: string, isKnown: (value: JsonValue) => boolean];

import type { JsonObject } from "@longhaul/conversation";

/** How clients reach a format over HTTP: its paths and headers, and the bodies that hold no conversation. */
export interface Api {
  /** The paths at which a model is asked. Where two formats share one, the first in the list of codecs counts. */
  readonly endpoints: readonly ApiEndpoint[];
  /** The pattern of the version that begins the other paths. */
  readonly version: string;
  /** Paths that are passed on as they are; every other path is refused. */
  readonly passed: PassedLines;
  /** The header that only this format's clients send: it tells them from others at paths that are shared. */
  readonly clientHeader?: string;
  /** Targets that mean this format even if nothing is served there, so that the client can read the error. */
  readonly ownTargets: RegExp;
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
  readonly saysStream?: boolean;
}

/** Methods and template of a path after the version, as in `GET|DELETE /files/{id}`. `{name}` is one segment, `{model}` one or more. */
export type PathLine = `${string} /${string}`;

/** The paths that are passed on. */
interface PassedLines {
  /** Paths at which a model or a classifier answers; the vendor keeps nothing. */
  readonly calls: readonly PathLine[];
  /** Paths at which the vendor keeps something for the account whose key is used. */
  readonly stateful: readonly PathLine[];
  /** Stateful paths that another format has, too: only clients that send `clientHeader` mean these. */
  readonly shared: readonly PathLine[];
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

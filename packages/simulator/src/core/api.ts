import type { JsonObject } from "./json.ts";
import type { Bill } from "./money.ts";
import type { ApiId } from "./prompt.ts";
import type { World } from "./world.ts";

export interface Api {
  readonly id: ApiId;
  readonly dialect: Dialect;
  readonly routes: readonly Route[];
}

/** Routes are tried in order. */
interface Route {
  readonly method: "GET" | "POST" | "DELETE" | "HEAD";
  /** Matched against the path without its query; groups become the call's `params`. */
  readonly pattern: RegExp;
  /** Matches only requests with this header, for paths that two APIs share. */
  readonly header?: string;
  readonly answer: Answer;
}

/** Answers, or throws a `Rejection`. */
export type Answer = (call: Call, world: World) => Reply;

/** Returns an answer that first checks the caller's key. */
export function withKey(checkKey: (call: Call, world: World) => string, answer: Answer): Answer {
  return (call, world) => {
    checkKey(call, world);
    return answer(call, world);
  };
}

export interface Dialect {
  error(rejection: Rejection, requestId: string): JsonReply;
  /** Events that end a stream that fails after it began. */
  streamError(rejection: Rejection): readonly StreamEvent[];
}

export interface Call {
  readonly method: string;
  readonly path: string;
  readonly query: URLSearchParams;
  /** Names are in lower case. */
  readonly headers: Readonly<Record<string, string>>;
  readonly bytes: Uint8Array;
  /** A hash of the body, from which ids and answers are made. */
  readonly seed: string;
  /** The parsed body; `undefined` if it is not valid JSON. */
  readonly body: unknown;
  readonly params: readonly string[];
  readonly requestId: string;
  /** Filled in while the request is answered. */
  readonly record: CallRecord;
}

export interface CallRecord extends Bill {
  model?: string;
  isStream?: boolean;
  thinkingTokens?: number;
  /** How often the API compacted the conversation by itself. */
  compactions?: number;
  rejection?: Rejection;
}

export interface JsonReply {
  readonly kind: "json";
  readonly status: number;
  readonly headers: Readonly<Record<string, string>>;
  readonly body: unknown;
}

interface StreamReply {
  readonly kind: "stream";
  readonly headers: Readonly<Record<string, string>>;
  readonly events: readonly StreamEvent[];
  /** Server-sent events, AWS's binary frames, or the elements of one JSON array. */
  readonly framing: "sse" | "aws" | "list";
}

export type Reply = JsonReply | StreamReply;

export function jsonReply(body: unknown, headers: Readonly<Record<string, string>> = {}): JsonReply {
  return { kind: "json", status: 200, headers, body };
}

export interface StreamEvent {
  /** The `event:` line, or the type of an AWS frame. */
  readonly event?: string;
  /** The `data:` lines; without data the event is a comment. */
  readonly data?: string;
  readonly comment?: string;
}

/** Details of a rejection; each dialect uses those it knows. */
interface RejectionDetails {
  /** Machine-readable code, such as `context_length_exceeded`. */
  readonly code?: string;
  readonly param?: string;
  /** The dialect's error type, if the status does not determine it. */
  readonly type?: string;
  readonly headers?: Readonly<Record<string, string>>;
  /** Google's error details: `google.rpc` objects. */
  readonly more?: readonly JsonObject[];
  /** Whether it is sent as the only element of an array, like a stream without SSE. */
  readonly isInList?: boolean;
}

/** A request that a simulated API rejects, with the vendor's message. */
export class Rejection extends Error {
  readonly status: number;
  readonly details: RejectionDetails;

  constructor(status: number, message: string, details: RejectionDetails = {}) {
    super(message);
    this.status = status;
    this.details = details;
  }
}

/** Throws a 400 rejection unless the condition is true. Pass a function if the message is expensive to build. */
export function ensure(
  condition: boolean,
  message: string | (() => string),
  details?: RejectionDetails,
): asserts condition {
  if (!condition) throw new Rejection(400, typeof message === "string" ? message : message(), details);
}

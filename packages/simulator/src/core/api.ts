import type { JsonObject } from "./json.ts";
import type { Bill } from "./money.ts";
import type { ApiId } from "./prompt.ts";
import type { World } from "./world.ts";

/** One API that the simulator speaks. */
export interface Api {
  readonly id: ApiId;
  readonly dialect: Dialect;
  readonly routes: readonly Route[];
}

/** Where requests go, tried in order. */
export interface Route {
  readonly method: "GET" | "POST" | "DELETE" | "HEAD";
  /** Matched against the path without its query; groups become the call's `params`. */
  readonly pattern: RegExp;
  /** Only requests with this header; for paths that two APIs share. */
  readonly header?: string;
  /** Answers, or throws a `Rejection`. */
  answer(call: Call, world: World): Reply;
}

/** How an API words its errors. */
export interface Dialect {
  /** A whole answer that says that a request was refused. */
  error(rejection: Rejection, requestId: string): JsonReply;
  /** What a stream says when it fails after it began. */
  streamError(rejection: Rejection): readonly StreamEvent[];
}

/** A request as it came in. */
export interface Call {
  readonly method: string;
  readonly path: string;
  readonly query: URLSearchParams;
  /** In lower case. */
  readonly headers: Readonly<Record<string, string>>;
  readonly bytes: Uint8Array;
  /** Stands for the body: ids and answers are made from it. */
  readonly seed: string;
  /** The parsed body; `undefined` where it is not JSON. */
  readonly body: unknown;
  readonly params: readonly string[];
  readonly requestId: string;
  /** What the API found out on the way; for the record. */
  readonly record: CallRecord;
}

/** Facts about a request that are filled in while it is answered. */
export interface CallRecord extends Bill {
  model?: string;
  isStream?: boolean;
  thinkingTokens?: number;
  /** How often the API compacted the conversation by itself. */
  compactions?: number;
  /** A refusal that is said inside a stream. */
  rejection?: Rejection;
}

/** An answer in one piece. */
export interface JsonReply {
  readonly kind: "json";
  readonly status: number;
  readonly headers: Readonly<Record<string, string>>;
  readonly body: unknown;
}

/** An answer in events. */
interface StreamReply {
  readonly kind: "stream";
  readonly headers: Readonly<Record<string, string>>;
  readonly events: readonly StreamEvent[];
  /** Server-sent events, AWS's binary frames, or the elements of one JSON list. */
  readonly framing: "sse" | "aws" | "list";
}

/** What an API answers. */
export type Reply = JsonReply | StreamReply;

/** One event of a stream. */
export interface StreamEvent {
  /** The `event:` line, or the type of an AWS frame. */
  readonly event?: string;
  /** What stands behind `data:`; nothing makes the event a comment. */
  readonly data?: string;
  readonly comment?: string;
}

/** What a refusal carries besides its message; each dialect takes what it knows. */
interface RejectionDetails {
  /** A short word for machines: `context_length_exceeded`. */
  readonly code?: string;
  /** The parameter that is wrong. */
  readonly param?: string;
  /** The dialect's own word for the kind, where the status alone does not decide it. */
  readonly type?: string;
  /** Headers that come with it: `retry-after`. */
  readonly headers?: Readonly<Record<string, string>>;
  /** What Google says beside the message: `google.rpc` objects. */
  readonly more?: readonly JsonObject[];
  /** Whether it comes as the one element of a list, as a stream without events has them. */
  readonly isInList?: boolean;
}

/** A request that a simulated API refuses, with the vendor's wording. */
export class Rejection extends Error {
  readonly status: number;
  readonly details: RejectionDetails;

  constructor(status: number, message: string, details: RejectionDetails = {}) {
    super(message);
    this.status = status;
    this.details = details;
  }
}

/** Refuses unless a condition holds. A message that takes long to write is given as a function. */
export function ensure(
  condition: boolean,
  message: string | (() => string),
  details?: RejectionDetails,
): asserts condition {
  if (!condition) throw new Rejection(400, typeof message === "string" ? message : message(), details);
}

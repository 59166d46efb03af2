import type { JsonObject, Request, WireId } from "@longhaul/conversation";
import type { Outgoing } from "@longhaul/upstream";
import type { Codec, RequestLine, Span } from "@longhaul/wire";
import type { Owner } from "./naming.ts";

/** What a client asked for, and in which format it wants the answer. */
export interface CallEndpoint extends RequestLine {
  readonly wire: WireId;
  readonly action: Outgoing["action"];
  readonly method: Outgoing["method"];
}

/** A client's call, looked into only as far as somebody asks. */
export interface Call<Line extends CallEndpoint = CallEndpoint, By extends Owner = Owner> {
  /** Ours, for logs and errors. */
  readonly id: string;
  readonly endpoint: Line;
  /** Whose call it is, from `authenticate` on. */
  readonly caller: By;
  /** The format that the body is in; the answer is in the endpoint's. */
  readonly codec: Codec;
  readonly body: Uint8Array;
  /** By lower-case name. */
  readonly headers: Readonly<Record<string, string>>;
  readonly query: string;
  readonly model: string;
  /** Whether the client wants the answer as it is written. */
  wantsStream(): boolean;
  /** Where the model's name stands in the body; absent where the path says it. */
  modelSpan(): Span | undefined;
  /** Parses a large body in turns, so that the functions below need not do it at once. A body that is not valid JSON throws. */
  prepare(): Promise<void>;
  /** The body, parsed. */
  value(): JsonObject;
  /** The request, decoded. */
  request(): Request;
  /** The request for an upstream that keeps nothing: what it refers to is in it. */
  wholeRequest(): Request;
  /** What the gateway says otherwise than the body; the requests above say it already. @default nothing */
  readonly change?: CallChange;
  /** Puts back, into a request as it will be sent, what the client could not hold. @default nothing */
  readonly putBack?: (request: Request) => Request;
}

/** What the gateway says otherwise than a call's body. */
interface CallChange {
  /** The request with the parameters that are sent in place of the client's. */
  parameters(request: Request): Request;
  /** Values of `anthropic-beta` that the parameters need. */
  readonly betas: readonly string[];
}

/** A call of which nothing but the bytes is known. */
export type Received<Line extends CallEndpoint = CallEndpoint, By extends Owner = Owner> = Pick<
  Call<Line, By>,
  "id" | "endpoint" | "caller" | "body" | "headers" | "query"
>;

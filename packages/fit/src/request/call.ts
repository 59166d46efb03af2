import type { JsonObject, Request, WireId } from "@longhaul/conversation/advanced";
import type { Outgoing } from "@longhaul/upstream";
import type { Codec, RequestLine, Span } from "@longhaul/wire";
import type { Owner } from "./naming.ts";
import type { Outline } from "./outline.ts";

/** A requested action, and the format of its answer. */
export interface CallEndpoint extends RequestLine {
  readonly wire: WireId;
  readonly action: Outgoing["action"];
  readonly method: Outgoing["method"];
}

/** A client's call. Its body is read only as far as needed. */
export interface Call<Line extends CallEndpoint = CallEndpoint, By extends Owner = Owner> {
  /** Our own id, for logs and errors. */
  readonly id: string;
  readonly endpoint: Line;
  /** Set by `authenticate`. */
  readonly caller: By;
  /** The format of the body; the answer has the endpoint's. */
  readonly codec: Codec;
  readonly body: Uint8Array;
  /** By lower-case name. */
  readonly headers: Readonly<Record<string, string>>;
  readonly query: string;
  readonly model: string;
  wantsStream(): boolean;
  /** Returns the position of the model's name in the body; undefined if the path has it. */
  modelSpan(): Span | undefined;
  /** Parses a large body with pauses, so that the functions below need not do it at once. Invalid JSON throws. */
  prepare(): Promise<void>;
  value(): JsonObject;
  /** Returns the same without long texts if that saves work: enough for all parameters. Keep it only for that. */
  outlineValue(): JsonObject;
  request(): Request;
  /** Returns the request for an upstream that stores nothing: referenced responses are included. */
  wholeRequest(): Request;
  /** Returns the whole request without its long texts; undefined if that is not possible or saves no work. */
  outline(): OutlinedRequest | undefined;
  /** Changes by the gateway, already applied to the requests above. @default none */
  readonly change?: CallChange;
  /** Restores content in the outgoing request that the client could not keep. @default none */
  readonly putBack?: (request: Request) => Request;
}

/** A request without its long texts. Codecs can adapt and write it: their result depends on no long text. */
export interface OutlinedRequest extends Outline {
  readonly request: Request;
}

interface CallChange {
  /** Replaces the client's parameters with those that are sent. */
  parameters(request: Request): Request;
  /** Values of `anthropic-beta` that the parameters need. */
  readonly betas: readonly string[];
}

/** A call whose body has not been read. */
export type Received<Line extends CallEndpoint = CallEndpoint, By extends Owner = Owner> = Pick<
  Call<Line, By>,
  "id" | "endpoint" | "caller" | "body" | "headers" | "query"
>;

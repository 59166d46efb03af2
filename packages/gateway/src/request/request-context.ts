import type { Call as AnyCall, Received as AnyReceived } from "@longhaul/fit";
import type { Snapshot } from "../configuration/snapshot.ts";
import type { Observer } from "../events/observer.ts";
import type { Access } from "../keys/access.ts";
import type { Caller } from "../keys/caller.ts";
import type { Memory } from "../memory/memory.ts";
import type { Endpoint } from "./endpoints.ts";
import type { RequestRecord } from "./request-record.ts";

/** A decoded request. */
export type Call = AnyCall<Endpoint, Caller>;

/** An authenticated request with its body. */
export type Received = AnyReceived<Endpoint, Caller>;

/** An authenticated request whose body has not been read. */
export type Authenticated = Omit<Received, "body">;

/** A request of the model API whose headers have arrived. */
export interface Arrived extends Omit<Authenticated, "caller"> {
  readBody(): Promise<Uint8Array>;
}

/** Everything that the stages of one request share. */
export interface RequestContext {
  /** The configuration at the time the request arrived; a reload does not change it. */
  readonly snapshot: Snapshot;
  readonly access: Access;
  readonly memory: Memory;
  /** Filled by the stages and evaluated by the record stage. */
  readonly record: RequestRecord;
  /** Receives the request and its condensations when they are finished. @default none */
  readonly observer?: Observer | undefined;
  /** Aborted if the client disconnects. */
  readonly signal: AbortSignal;
  readonly random: () => number;
  /** Waits; rejects early if the signal is aborted. */
  readonly wait: (ms: number, signal: AbortSignal) => Promise<void>;
  readonly nowSeconds: () => number;
}

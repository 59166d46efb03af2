import type { Call as AnyCall, Received as AnyReceived } from "@longhaul/fit";
import type { Caller } from "./caller.ts";
import type { Endpoint } from "./http/endpoints.ts";

/** A client's call, with where it came in and who sent it. */
export type Call = AnyCall<Endpoint, Caller>;

/** What came over the network. */
export type Received = AnyReceived<Endpoint, Caller>;

/** A request of which it is known whose it is, and nothing else was read. */
export type Known = Omit<Received, "body">;

/** A request that has just begun to come. */
export interface Arrived extends Omit<Known, "caller"> {
  readBody(): Promise<Uint8Array>;
}

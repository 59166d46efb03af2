import type { Call } from "../core/api.ts";

/** A request without a body. */
export function makeCall(parts: Partial<Call> = {}): Call {
  return {
    method: "GET",
    path: "/",
    query: new URLSearchParams(),
    headers: {},
    bytes: new Uint8Array(),
    seed: "seed",
    body: undefined,
    params: [],
    requestId: "req_1",
    notes: {},
    ...parts,
  };
}

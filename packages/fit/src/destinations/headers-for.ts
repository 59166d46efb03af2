import type { WireId } from "@longhaul/conversation";
import { codecOf } from "@longhaul/wire";
import type { Call } from "../request/call.ts";
import type { Destination } from "./destination.ts";

/** What an upstream is told besides the body: all that the client said where it speaks the client's format. */
export function headersFor(
  { headers, endpoint }: Pick<Call, "headers" | "endpoint">,
  { wire }: Pick<Destination, "wire">,
): Call["headers"] {
  return endpoint.wire === wire ? headers : plainHeaders(headers, wire);
}

/** The client's credential alone: another vendor is not told what belongs to the client's own, as versions, betas and session ids. */
export function plainHeaders(client: Call["headers"], wire: WireId): Call["headers"] {
  const { authorization, "x-api-key": key, "x-goog-api-key": googleKey } = client;
  const given = { authorization, "x-api-key": key, "x-goog-api-key": googleKey };
  const credentials = Object.entries(given).filter((entry): entry is [string, string] => entry[1] !== undefined);
  return { ...Object.fromEntries(credentials), ...codecOf(wire).api.headers };
}

/** What is true of one call only: the key under which it is made once, and how the client wants its answer. */
const OF_ONE_CALL = new Set(["idempotency-key", "accept"]);

/** The headers of a call that hold for another one in its conversation as well. */
export function lastingHeaders(headers: Call["headers"]): Call["headers"] {
  return Object.fromEntries(Object.entries(headers).filter(([name]) => !OF_ONE_CALL.has(name)));
}

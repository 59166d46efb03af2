import type { Action } from "@longhaul/upstream";
import type { Known } from "../call.ts";
import type { Outcome } from "../http/outcome.ts";
import { limitHeaders } from "../keys/limit-headers.ts";
import type { Access } from "../keys/open-access.ts";

/** What admitting takes from outside. */
export interface AdmitContext {
  readonly access: Access;
}

/** Actions that always reach an upstream. A list of models never does; a count of tokens may. */
const COUNTED: readonly Action[] = ["generate", "pass"];

/** Counts a request in if it will reach an upstream; one that its key may not make throws `limit.exceeded`. The headers say what is left. */
export async function admit(known: Known, context: AdmitContext): Promise<Outcome["headers"]> {
  return COUNTED.includes(known.endpoint.action) ? await countIn(known, context) : {};
}

/** Counts a request in, whatever it asks for; one that its key may not make throws `limit.exceeded`. */
export async function countIn(
  { id, endpoint, caller }: Pick<Known, "id" | "endpoint" | "caller">,
  { access }: AdmitContext,
): Promise<Outcome["headers"]> {
  const { key } = caller;
  if (key === undefined) return {};
  const counted = await access.limiter.enter(key, id);
  return counted === undefined ? {} : limitHeaders(endpoint.wire, key, counted);
}

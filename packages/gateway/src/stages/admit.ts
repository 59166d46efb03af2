import type { Action } from "@longhaul/upstream";
import type { Known } from "../call.ts";
import type { Outcome } from "../http/outcome.ts";
import { limitHeaders } from "../keys/limit-headers.ts";
import type { Access } from "../keys/open-access.ts";

/** What admitting takes from outside. */
export interface AdmitContext {
  readonly access: Access;
}

/** What asks an upstream for something that is paid for; lists and counts of tokens are free. */
const COUNTED: readonly Action[] = ["generate", "pass"];

/** Counts a request in; one that its key may not make throws `limit.exceeded`. The headers tell what is left. */
export async function admit({ id, endpoint, caller }: Known, { access }: AdmitContext): Promise<Outcome["headers"]> {
  if (caller === undefined || !COUNTED.includes(endpoint.action)) return {};
  const counted = await access.limiter.enter(caller, id);
  return counted === undefined ? {} : limitHeaders(endpoint.wire, caller, counted);
}

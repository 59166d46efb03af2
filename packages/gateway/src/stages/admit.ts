import type { Action } from "@longhaul/upstream";
import type { Outcome } from "../http/outcome.ts";
import { limitHeaders } from "../keys/limits.ts";
import type { Authenticated, RequestContext } from "../request/request-context.ts";

type AdmitContext = Pick<RequestContext, "access">;

/** Actions that always reach an upstream. Listing models never does; counting tokens may. */
const COUNTED: readonly Action[] = ["generate", "pass"];

/** Counts a request towards its key's limits if it will reach an upstream, and returns the rate limit headers. Throws `limit.exceeded`. */
export async function admit(request: Authenticated, context: AdmitContext): Promise<Outcome["headers"]> {
  return COUNTED.includes(request.endpoint.action) ? await countRequest(request, context) : {};
}

/** Counts a request of any action towards its key's limits. Throws `limit.exceeded`. */
export async function countRequest(
  { id, endpoint, caller }: Pick<Authenticated, "id" | "endpoint" | "caller">,
  { access }: AdmitContext,
): Promise<Outcome["headers"]> {
  const { key } = caller;
  if (key === undefined) return {};
  const counted = await access.limiter.enter(key, id);
  return counted === undefined ? {} : limitHeaders(endpoint.wire, key, counted);
}

import type { Access } from "../keys/access.ts";
import type { RequestContext } from "../request/request-context.ts";
import { openRecord } from "../request/request-record.ts";
import { OPEN_ACCESS } from "./access.ts";

/** Makes the context of one request; it does not wait, and chance is always 0. */
export function makeContext(
  fields: Partial<RequestContext> & Pick<RequestContext, "memory" | "snapshot">,
): RequestContext {
  const access: Access = OPEN_ACCESS;
  return {
    access,
    record: openRecord("lh_test"),
    signal: new AbortController().signal,
    random: () => 0,
    wait: () => Promise.resolve(),
    nowSeconds: () => 1_000,
    ...fields,
  };
}

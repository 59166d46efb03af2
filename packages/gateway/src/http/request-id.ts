import { randomUUID } from "node:crypto";

/** A new id for a request, as it stands in logs, errors and the `x-longhaul-request-id` header. */
export function makeRequestId(): string {
  return `lh_${randomUUID().replaceAll("-", "")}`;
}

import { randomFillSync } from "node:crypto";

/** The header of every answer that names its request. */
export const REQUEST_ID_HEADER = "x-longhaul-request-id";

const ID_BYTES = 16;
/** Random bytes for many ids: asking for a few at a time takes ten times as long. */
const pool = Buffer.alloc(256 * ID_BYTES);
let next = pool.length;

/** Makes an id for a request, as it appears in logs, errors and the answer's headers. */
export function makeRequestId(): string {
  if (next === pool.length) {
    randomFillSync(pool);
    next = 0;
  }
  const from = next;
  next += ID_BYTES;
  return `lh_${pool.toString("hex", from, next)}`;
}

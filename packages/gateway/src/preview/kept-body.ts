import { promisify } from "node:util";
import { gunzip } from "node:zlib";

const unpack = promisify(gunzip);

/** What is kept was a request's body once; more than this is none. */
const MAX_BYTES = 512 * 1024 * 1024;

/** A body that was kept, as text. */
export async function keptBody(packed: Uint8Array): Promise<string> {
  return (await unpack(packed, { maxOutputLength: MAX_BYTES })).toString();
}

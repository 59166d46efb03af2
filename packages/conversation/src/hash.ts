import { sha256 } from "@noble/hashes/sha2.js";
import { bytesToHex, utf8ToBytes } from "@noble/hashes/utils.js";

/** A collision-resistant hash of a text, at least 128 bits, as a short printable string. Passed in, so that pure code stays pure. */
export type Hash = (text: string) => string;

const HASH_BYTES = 16;

/** SHA-256 cut to 128 bits, in plain JavaScript: the default where nobody passes a faster one. */
export function pureHash(text: string): string {
  return bytesToHex(sha256(utf8ToBytes(text)).subarray(0, HASH_BYTES));
}

/** How many bytes become arguments of one call. */
const CHUNK = 8_192;

/** Bytes as base64, on every runtime that has `btoa`. */
export function toBase64(bytes: Uint8Array): string {
  let binary = "";
  for (let start = 0; start < bytes.length; start += CHUNK) {
    binary += String.fromCharCode(...bytes.subarray(start, start + CHUNK));
  }
  return btoa(binary);
}

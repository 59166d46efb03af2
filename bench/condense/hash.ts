import { hash } from "node:crypto";

/** SHA-256 cut to 128 bits, by the platform: what the gateway uses. */
export function sha256(text: string): string {
  return hash("sha256", text, "hex").slice(0, 32);
}

import { createHmac, timingSafeEqual } from "node:crypto";
import { isObject, type JsonObject, parseJson } from "./json.ts";

/** Signs what a client has to send back unchanged: thinking, compaction blocks, encrypted reasoning. */
export interface Seals {
  /** An opaque text that only this simulator can make and read. */
  seal(kind: string, payload: JsonObject): string;
  /** What was sealed; nothing where the text was not made here, was changed, or is of another kind. */
  open(kind: string, sealed: string): JsonObject | undefined;
}

/** Seals with a secret: two simulators with the same one read each other's. */
export function makeSeals(secret: string): Seals {
  const sign = (kind: string, text: string) => createHmac("sha256", secret).update(`${kind}\n${text}`).digest();
  return {
    seal(kind, payload) {
      const text = JSON.stringify(payload);
      return Buffer.concat([sign(kind, text), Buffer.from(text)]).toString("base64");
    },
    open(kind, sealed) {
      const bytes = Buffer.from(sealed, "base64");
      if (bytes.length <= SIGNATURE_BYTES || bytes.toString("base64") !== sealed) return undefined;
      const text = bytes.subarray(SIGNATURE_BYTES).toString();
      if (!timingSafeEqual(bytes.subarray(0, SIGNATURE_BYTES), sign(kind, text))) return undefined;
      const payload = parseJson(text);
      return isObject(payload) ? payload : undefined;
    },
  };
}

const SIGNATURE_BYTES = 32;

import { JSON_LIMITS, overLimit } from "./json-limits.ts";
import { isShallow } from "./read.ts";
import { checkJsonLimits } from "./split-body.ts";

// Every JavaScript runtime has it, but not every set of types.
declare const TextDecoder: new () => { decode(bytes: Uint8Array): string };

/** Parses JSON within `JSON_LIMITS`. A text over a limit throws `request.body-too-large`; one that is not JSON, a `SyntaxError`. */
export function parseJson(bytes: Uint8Array): unknown {
  if (isTiny(bytes)) return parseTiny(bytes);
  checkJsonLimits(bytes);
  return JSON.parse(utf8.decode(bytes));
}

/** Whether a text is too short to be over any limit but that of depth. */
export function isTiny({ length }: Uint8Array): boolean {
  return length < 2 * JSON_LIMITS.elements;
}

/** Parses a tiny text: how deep it is shows faster in its values. */
export function parseTiny(bytes: Uint8Array): unknown {
  const value: unknown = JSON.parse(utf8.decode(bytes));
  if (!isShallow(value)) throw overLimit("depth");
  return value;
}

const utf8 = new TextDecoder();

import { parseJsonText } from "@longhaul/conversation";
import { checkJsonLimits, JSON_LIMITS, overLimit } from "./scan-json.ts";

// Every JavaScript runtime has it, but not every set of types.
declare const TextDecoder: new () => { decode(bytes: Uint8Array): string };

/** Parses JSON within `JSON_LIMITS`. A text over a limit throws `request.body-too-large`; one that is not JSON, a `SyntaxError`. */
export function parseJson(bytes: Uint8Array): unknown {
  if (isShort(bytes)) return parseShort(bytes);
  checkJsonLimits(bytes);
  return parseJsonText(utf8.decode(bytes));
}

/** Parsing the most hostile text of this size takes about 60 ms on a quiet machine. Other texts are parsed faster than their bytes are checked. */
const SHORT_BYTES = 512 * 1024;

/** Whether a text is so short that its limits are best checked once it is parsed. */
export function isShort({ length }: Uint8Array): boolean {
  return length <= SHORT_BYTES;
}

/** Parses a short text and checks the parsed value against `JSON_LIMITS`. Of keys that repeat, only the last counts. */
export function parseShort(bytes: Uint8Array): unknown {
  const value: unknown = parseJsonText(utf8.decode(bytes));
  if (typeof value === "object" && value !== null) checkShape(value, 1);
  return value;
}

/** Counts the values in a container; `depth` is its own. */
function checkShape(container: object, depth: number): number {
  if (depth > JSON_LIMITS.depth) throw overLimit("depth");
  const isList = Array.isArray(container);
  const inner: readonly unknown[] = isList ? container : Object.values(container);
  if (isList && inner.length > JSON_LIMITS.elements) throw overLimit("elements");
  if (!isList && inner.length > JSON_LIMITS.keys) throw overLimit("keys");
  let values = inner.length;
  for (const value of inner) {
    if (typeof value === "object" && value !== null) values += checkShape(value, depth + 1);
  }
  if (values > JSON_LIMITS.values) throw overLimit("values");
  return values;
}

const utf8 = new TextDecoder();

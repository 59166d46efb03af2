import { parseJsonText } from "@longhaul/conversation/advanced";
import { checkJsonLimits, JSON_LIMITS, overLimit } from "./scan-json.ts";

// Every JavaScript runtime has it, but the ECMAScript type library does not.
declare const TextDecoder: new () => { decode(bytes: Uint8Array): string };

/** Parses JSON within `JSON_LIMITS`. Throws `request.body-too-large` over a limit and `SyntaxError` for invalid JSON. */
export function parseJson(bytes: Uint8Array): unknown {
  if (isShort(bytes)) return parseShort(bytes);
  checkJsonLimits(bytes);
  return parseJsonText(utf8.decode(bytes));
}

/** Parsing the most hostile text of this size takes about 60 ms. Ordinary text is parsed faster than its bytes are checked. */
export const SHORT_BYTES = 512 * 1024;

/** Whether text is so short that its limits are best checked after parsing. */
export function isShort({ length }: Uint8Array): boolean {
  return length <= SHORT_BYTES;
}

/** Parses short text and checks the parsed value against `JSON_LIMITS`. Of repeated keys, only the last counts. */
export function parseShort(bytes: Uint8Array): unknown {
  const value: unknown = parseJsonText(utf8.decode(bytes));
  if (typeof value === "object" && value !== null) checkShape(value, 1);
  return value;
}

/** Returns the number of values in a container at this depth. */
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

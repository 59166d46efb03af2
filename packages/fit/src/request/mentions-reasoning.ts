import { asBuffer } from "@longhaul/upstream";
import { type Codec, splitBody } from "@longhaul/wire";
import { scanOf } from "./scanned.ts";

/**
 * Whether a body says something about thinking, or may do so. Only its fields are looked at, not what they hold; names that are spelled with
 * escapes are for the upstream to judge.
 */
export function mentionsReasoning(
  body: Uint8Array,
  { reasoning, messagesField }: Pick<Codec, "reasoning" | "messagesField">,
): boolean {
  const scan = scanOf(body);
  if (scan !== undefined) return scan.mentionsReasoning;
  const { fields: names } = reasoning;
  if (!mayName(body, names)) return false;
  const fields = splitBody(body, messagesField)?.fields;
  return fields === undefined || names.some((name) => fields.has(name));
}

/** Node looks for up to six bytes by the first of them alone: in 4 MB that takes a millisecond, and finding every field up to nine. */
const PIECE_CHARS = 4;

function mayName(body: Uint8Array, names: readonly string[]): boolean {
  const pieces = new Set(names.map((name) => `"${name.slice(0, PIECE_CHARS)}`));
  return [...pieces].some((piece) => asBuffer(body).includes(piece));
}

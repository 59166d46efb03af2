import { table, type WireId } from "@longhaul/conversation";
import { type Codec, splitBody } from "@longhaul/wire";
import { asBuffer } from "../as-buffer.ts";
import { scanOf } from "../scanned.ts";

/** The fields in which each format speaks of thinking. */
const FIELDS: Readonly<Record<WireId, readonly string[]>> = table({
  "anthropic-messages": ["thinking", "output_config"],
  "openai-chat": ["reasoning", "reasoning_effort"],
  "openai-responses": ["reasoning"],
  gemini: ["generationConfig", "generation_config"],
});

/**
 * Whether a body says something about thinking, or may do so. Only its fields are looked at, not what they hold; names that are spelled with
 * escapes are for the upstream to judge.
 */
export function mentionsReasoning(
  body: Uint8Array,
  { id, messagesField }: Pick<Codec, "id" | "messagesField">,
): boolean {
  const scan = scanOf(body);
  if (scan !== undefined) return scan.mentionsReasoning;
  const names = FIELDS[id] ?? [];
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

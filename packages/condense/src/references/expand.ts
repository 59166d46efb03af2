import type { Conversation } from "@longhaul/conversation";
import type { Numbering } from "../edit.ts";
import type { RawReference } from "../pieces.ts";
import { type Place, textAt } from "../place.ts";

/** The text that a reference stands for, told from what it points to; works from the record, never from the marker. */
export function expandReference(raw: Conversation, reference: Omit<RawReference, "standsFor" | "hash">): string {
  const text = rawText(raw, reference.target).slice(reference.from, reference.to);
  return reference.numbering === undefined ? text : withNumbers(text, reference.numbering);
}

/** The raw text at a place, or nothing. */
export function rawText(raw: Conversation, { message, block, path }: Place): string {
  const found = raw.messages[message]?.blocks[block];
  return found === undefined ? "" : (textAt(found, path) ?? "");
}

/** Puts a line number in front of every line. */
export function withNumbers(text: string, { first, width, separator }: Numbering): string {
  return text
    .split("\n")
    .map((line, index) => `${String(first + index).padStart(width)}${separator}${line}`)
    .join("\n");
}

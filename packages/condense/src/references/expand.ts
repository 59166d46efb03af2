import type { Conversation } from "@longhaul/conversation";
import type { RawReference } from "../edits/pieces.ts";
import { type Place, textIn } from "../edits/place.ts";
import { redress } from "./dressing.ts";

/** The text that a reference stands for, told from what it points to; works from the record, never from the marker. */
export function expandReference(
  raw: Conversation,
  reference: Omit<RawReference, "standsFor" | "hash">,
): string | undefined {
  return redress(rawText(raw, reference.target).slice(reference.from, reference.to), reference);
}

/** The raw text at a place, or nothing. */
export function rawText(raw: Conversation, place: Place): string {
  return textIn(raw.messages[place.message], place);
}

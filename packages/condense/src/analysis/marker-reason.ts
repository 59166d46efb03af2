import { CLEARED } from "../context-editing/clear.ts";
import { ASSISTANT_OMISSION } from "../coverage/omissions.ts";
import type { Reason } from "../edits/edit.ts";
import { SUMMARIZED, SUPPRESSED } from "../passes/operations.ts";

/** The reason for a change, by the start of the marker. */
const MARKERS: readonly { readonly begins: string; readonly reason: Reason }[] = [
  { begins: "[same as ", reason: "reference" },
  { begins: "[same content as ", reason: "reference" },
  { begins: "[same output as ", reason: "consolidate" },
  { begins: "[older ", reason: "obsolete" },
  { begins: SUPPRESSED, reason: "suppress" },
  { begins: CLEARED, reason: "suppress" },
  { begins: "⟨ ... truncated", reason: "truncate" },
  { begins: SUMMARIZED, reason: "summarize" },
  { begins: ASSISTANT_OMISSION, reason: "cover" },
  { begins: "⟨ image left out ⟩", reason: "cover" },
  { begins: "⟨ document left out ⟩", reason: "cover" },
  { begins: "⟨ image removed to fit", reason: "drop" },
  { begins: "⟨ document removed to fit", reason: "drop" },
];

/**
 * Returns why a text changed, judging by the markers added to it. For texts without a record: callers with the edits should use those,
 * because markers can be forged.
 */
export function reasonFromMarkers(before: string, after: string): Reason | undefined {
  return MARKERS.find(({ begins }) => occurrences(after, begins) > occurrences(before, begins))?.reason;
}

/** Whether a text is one of our notes about missing content. */
export function isNote(text: string): boolean {
  return /^⟨ [^⟨⟩]*(?:⟨…⟩[^⟨⟩]*)?⟩$/.test(text.trim());
}

function occurrences(text: string, part: string): number {
  return text.split(part).length - 1;
}

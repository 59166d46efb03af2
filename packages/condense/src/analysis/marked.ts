import { CLEARED } from "../context-editing/clear.ts";
import { LEFT_OUT_BY_US } from "../coverage/left-out.ts";
import type { Reason } from "../edits/edit.ts";
import { SUMMARIZED, SUPPRESSED } from "../passes/operations.ts";

/** What each marker tells of the text that it stands for, by how it begins. */
const MARKERS: readonly { readonly begins: string; readonly reason: Reason }[] = [
  { begins: "⟨ See message ", reason: "reference" },
  { begins: "⟨ see #", reason: "reference" },
  { begins: "⟨ File content already provided above", reason: "reference" },
  { begins: "⟨ Consolidated ", reason: "consolidate" },
  { begins: "⟨ Obsolete: ", reason: "obsolete" },
  { begins: SUPPRESSED, reason: "suppress" },
  { begins: CLEARED, reason: "suppress" },
  { begins: "⟨ ... truncated", reason: "truncate" },
  { begins: SUMMARIZED, reason: "summarize" },
  { begins: LEFT_OUT_BY_US, reason: "cover" },
  { begins: "⟨ image left out ⟩", reason: "cover" },
  { begins: "⟨ document left out ⟩", reason: "cover" },
  { begins: "⟨ image removed to fit", reason: "drop" },
  { begins: "⟨ document removed to fit", reason: "drop" },
];

/**
 * Why a text reads otherwise than before, as far as the markers tell that stand in it since then. For texts of which nothing else is known:
 * whoever has the edits goes by them, because markers can be forged.
 */
export function reasonFromMarkers(before: string, after: string): Reason | undefined {
  return MARKERS.find(({ begins }) => occurrences(after, begins) > occurrences(before, begins))?.reason;
}

/** Whether a text is a note of ours that something is missing, and nobody's words. */
export function isNote(text: string): boolean {
  return /^⟨ [^⟨⟩]*(?:⟨…⟩[^⟨⟩]*)?⟩$/.test(text.trim());
}

function occurrences(text: string, part: string): number {
  return text.split(part).length - 1;
}

import { CLEARED } from "../context-editing/clear.ts";
import type { Reason } from "../edits/edit.ts";
import { OMISSION } from "../passes/marks.ts";
import { SUMMARIZED } from "../passes/operations.ts";
import { NOTE_START } from "../rewrite/notes.ts";

/** The reason for a change, by a pattern of its marks. Left-out text is counted or named; the passes that leave it out write the same marks. */
const MARKS: readonly { readonly mark: RegExp; readonly reason: Reason }[] = [
  { mark: /\[same (?:content )?as /g, reason: "reference" },
  { mark: /\[same output as /g, reason: "consolidate" },
  { mark: /\[older /g, reason: "obsolete" },
  { mark: literal(CLEARED), reason: "suppress" },
  { mark: literal(SUMMARIZED), reason: "summarize" },
  { mark: literal(OMISSION), reason: "cover" },
  { mark: /\[(?:image|document) left out[^[\]\n]*\]/g, reason: "drop" },
  { mark: /\[[^[\]\n]* left out\]/g, reason: "truncate" },
];

function literal(text: string): RegExp {
  return new RegExp(text.replace(/[.[\]()]/g, "\\$&"), "g");
}

/**
 * Returns why a text changed, judging by the marks added to it. For texts without a record: callers with the edits should use those,
 * because marks can be forged.
 */
export function reasonFromMarks(before: string, after: string): Reason | undefined {
  return MARKS.find(({ mark }) => occurrences(after, mark) > occurrences(before, mark))?.reason;
}

/** Whether a text is only the gateway's note or marks about missing messages. */
export function isNote(text: string): boolean {
  return text
    .trim()
    .split("\n")
    .every((line) => line.startsWith(NOTE_START) || /^\[[\d,]+ messages? left out[^\n]*\]$/.test(line));
}

function occurrences(text: string, mark: RegExp): number {
  return text.match(mark)?.length ?? 0;
}

import type { Draft } from "../edits/draft.ts";
import { type FoundReference, rawText, referencesIn } from "./check.ts";
import { withoutLineNumbers } from "./line-format.ts";

/** The markers that a model has seen, and what each of them stands for. */
export interface KnownMarkers {
  /** The text that a marker stands for, without line numbers; undefined if it is unknown, has several meanings, or is imitated. */
  expand(marker: string): string | undefined;
  /** Whether a text is the beginning of a marker, or all of one. */
  isBeginning(text: string): boolean;
}

/**
 * The markers in what is sent of a draft. A model that copies one into an answer or a file means the lines themselves, so the line numbers
 * that a tool printed before them are no part of what it stands for.
 */
export function knownMarkers(draft: Draft): KnownMarkers {
  const found = new Map<string, FoundReference | undefined>();
  for (const reference of draft.slots.flatMap(referencesIn)) {
    const { made } = reference.piece;
    const earlier = found.get(made);
    const isAmbiguous =
      found.has(made) && (earlier === undefined || textOf(draft, earlier) !== textOf(draft, reference));
    found.set(made, isAmbiguous ? undefined : reference);
  }
  const sorted = [...found.keys()].sort();
  return {
    expand: (marker) => {
      const reference = found.get(marker);
      return reference === undefined || isImitated(marker, draft) ? undefined : textOf(draft, reference);
    },
    isBeginning: (text) => sorted[firstFrom(sorted, text)]?.startsWith(text) === true,
  };
}

/**
 * Whether somebody else says the same words: the user, a tool, the system prompt. Then it is unknown whose the model copied. Its own
 * earlier words don't count, because it may have copied ours before.
 */
function isImitated(marker: string, { raw: { system, tools, messages } }: Draft): boolean {
  const others = messages.filter(({ role }) => role !== "assistant").map(({ blocks }) => blocks);
  return says([system, tools, others], marker);
}

/** Whether a text is anywhere in a value. The value as it came says the same once more. */
function says(value: unknown, text: string): boolean {
  if (typeof value === "string") return value.includes(text);
  if (typeof value !== "object" || value === null) return false;
  return Object.entries(value).some(([key, inner]) => key !== "native" && says(inner, text));
}

function textOf({ raw }: Draft, { reference, slot, block, path }: FoundReference): string {
  const { from, to } = reference.standsFor;
  return withoutLineNumbers(rawText(raw, { message: slot.index, block, path }).slice(from, to));
}

/** Index of the first text that does not come before the given one. */
function firstFrom(sorted: readonly string[], text: string): number {
  let low = 0;
  let high = sorted.length;
  while (low < high) {
    const middle = (low + high) >> 1;
    if ((sorted[middle] ?? "") < text) low = middle + 1;
    else high = middle;
  }
  return low;
}

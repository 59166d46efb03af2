import { spellJson } from "@longhaul/conversation";
import type { Content } from "../content.ts";
import { placeKey } from "../place.ts";
import type { View } from "../view.ts";
import { subjectOf, workOf } from "./tool-work.ts";

/** Names what a result is of: the same tool with the same input, errors apart. Nothing for reads and what clients add by themselves. */
export function operationKey(content: Content): string | undefined {
  const use = operationOf(content);
  return use && spellJson([use.name, use.input, use.isError]);
}

/** As `operationKey`, but only the folder, pattern or command must be the same. */
export function subjectKey(content: Content): string | undefined {
  const use = operationOf(content);
  return use && spellJson([use.name, subjectOf(use) ?? use.input, use.isError]);
}

function operationOf({ level, use }: Content): Content["use"] {
  const isOperation = level === "result" && use !== undefined && use.callMessage !== -1 && workOf(use) !== "read";
  return isOperation ? use : undefined;
}

/** How often an operation has given the result that a content was, this one included. */
export type TimesGiven = (content: Content) => number;

/** Counts equal results of equal operations, when first asked. */
export function countResults(view: View): TimesGiven {
  let counts: ReadonlyMap<string, number> | undefined;
  return (content) => {
    counts ??= timesByPlace(view);
    return counts.get(placeKey(content.at)) ?? 1;
  };
}

/** For each text that is a whole result: how many of its kind there are up to it. */
function timesByPlace(view: View): Map<string, number> {
  const given = new Map<string, Map<string, number>>();
  const times = new Map<string, number>();
  for (const content of view.contents().contents) {
    const key = operationKey(content);
    const raw = key === undefined ? undefined : view.origin(content.at)?.raw;
    if (key === undefined || raw === undefined) continue;
    const results = given.get(key) ?? new Map<string, number>();
    const count = (results.get(raw) ?? 0) + 1;
    given.set(key, results.set(raw, count));
    times.set(placeKey(content.at), count);
  }
  return times;
}

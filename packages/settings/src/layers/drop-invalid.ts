import { isWithin, type Path } from "../schema/path.ts";
import type { Fault } from "./validate-config.ts";

interface HasPath {
  readonly path: Path;
}

export interface ValidEntries<Entry> {
  readonly kept: readonly Entry[];
  readonly leftOut: DroppedEntries<Entry>;
}

type DroppedEntries<Entry> = readonly {
  readonly entry: Entry;
  readonly why: string;
  /** The setting at fault, if it is another one of the same upstream or profile. */
  readonly at?: Path;
}[];

/** Drops values until the rest is valid. Without any of them, the configuration must be valid. */
export function dropInvalid<Entry extends HasPath>(
  entries: readonly Entry[],
  judge: (kept: readonly Entry[]) => readonly Fault[],
): ValidEntries<Entry> {
  let kept = entries;
  const leftOut: DroppedEntries<Entry>[number][] = [];
  for (let faults = judge(kept); faults.length > 0 && kept.length > 0; faults = judge(kept)) {
    const blamed = invalidEntries(kept, faults, judge);
    leftOut.push(...blamed);
    kept = kept.filter((entry) => blamed.every((each) => each.entry !== entry));
  }
  return { kept, leftOut };
}

/** Returns the values at the path of a fault, else of its upstream or profile, else the single one that makes the rest invalid, else all. */
function invalidEntries<Entry extends HasPath>(
  kept: readonly Entry[],
  faults: readonly Fault[],
  judge: (kept: readonly Entry[]) => readonly Fault[],
): DroppedEntries<Entry> {
  const [first] = faults;
  const why = first?.message ?? "";
  const there = entriesWithFault(
    faults,
    kept,
    (entry, { path }) => isWithin(entry.path, path) || isWithin(path, entry.path),
  );
  if (there.length > 0) return there.map(({ entry, fault: { message } }) => ({ entry, why: message }));
  const near = entriesWithFault(faults, kept, (entry, { path }) => isWithin(entry.path, path.slice(0, SECTION_DEPTH)));
  if (near.length > 0) return near.map(({ entry, fault: { message, path } }) => ({ entry, why: message, at: path }));
  const alone = kept.find((entry) => judge(kept.filter((other) => other !== entry)).length === 0);
  return (alone === undefined ? kept : [alone]).map((entry) => ({ entry, why }));
}

/** Paths of upstreams and profiles have two names. */
const SECTION_DEPTH = 2;

function entriesWithFault<Entry>(
  faults: readonly Fault[],
  kept: readonly Entry[],
  isAbout: (entry: Entry, fault: Fault) => boolean,
): { readonly entry: Entry; readonly fault: Fault }[] {
  const placed = faults.filter(({ path }) => path.length > 0);
  return kept.flatMap((entry) => {
    const fault = placed.find((each) => isAbout(entry, each));
    return fault === undefined ? [] : [{ entry, fault }];
  });
}

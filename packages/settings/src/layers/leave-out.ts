import { isWithin, type Path } from "../schema/path.ts";
import type { Fault } from "./judge-config.ts";

/** Something at a place that may be at fault. */
interface Placed {
  readonly path: Path;
}

/** Which of several values are used, and why the others are not. */
export interface Sifted<Entry> {
  readonly kept: readonly Entry[];
  readonly leftOut: Blamed<Entry>;
}

type Blamed<Entry> = readonly {
  readonly entry: Entry;
  readonly why: string;
  /** What is wrong, where that is another setting of the same thing. */
  readonly at?: Path;
}[];

/** Leaves out the values that are at fault, until nothing is wrong any more. With none of them, nothing may be wrong. */
export function leaveOut<Entry extends Placed>(
  entries: readonly Entry[],
  judge: (kept: readonly Entry[]) => readonly Fault[],
): Sifted<Entry> {
  let kept = entries;
  const leftOut: Blamed<Entry>[number][] = [];
  for (let faults = judge(kept); faults.length > 0 && kept.length > 0; faults = judge(kept)) {
    const blamed = blame(kept, faults, judge);
    leftOut.push(...blamed);
    kept = kept.filter((entry) => blamed.every((each) => each.entry !== entry));
  }
  return { kept, leftOut };
}

/** Those that stand where something is wrong; else those of the same thing; else the one without which nothing is wrong; else all. */
function blame<Entry extends Placed>(
  kept: readonly Entry[],
  faults: readonly Fault[],
  judge: (kept: readonly Entry[]) => readonly Fault[],
): Blamed<Entry> {
  const [first] = faults;
  const why = first?.message ?? "";
  const there = blamedBy(faults, kept, (entry, { path }) => isWithin(entry.path, path) || isWithin(path, entry.path));
  if (there.length > 0) return there.map(({ entry, fault: { message } }) => ({ entry, why: message }));
  const near = blamedBy(faults, kept, (entry, { path }) => isWithin(entry.path, path.slice(0, THING_DEPTH)));
  if (near.length > 0) return near.map(({ entry, fault: { message, path } }) => ({ entry, why: message, at: path }));
  const alone = kept.find((entry) => judge(kept.filter((other) => other !== entry)).length === 0);
  return (alone === undefined ? kept : [alone]).map((entry) => ({ entry, why }));
}

/** Upstreams and profiles are things of their own, two names deep. */
const THING_DEPTH = 2;

function blamedBy<Entry>(
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

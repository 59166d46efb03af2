import { Visitor } from "oxc-parser";
import { lineAt, parseSource, type TextFile } from "../test/architecture/source-file.ts";

/** A name in the old vocabulary, with its position. */
export interface RetiredName {
  readonly path: string;
  readonly line: number;
  readonly name: string;
  /** The entry of `RETIRED_WORDS` that matched. */
  readonly word: string;
}

/** Words that no name contains any more, with the word to use instead. GLOSSARY.md has the current vocabulary. */
export const RETIRED_WORDS: ReadonlyMap<string, string> = new Map([
  ["anew", "again, or a name without it"],
  ["came", "received, original"],
  ["dear", "expensive"],
  ["dress", "format, prepare"],
  ["ear", "listener (NotificationListener)"],
  ["foretold", "estimated"],
  ["hear", "receive, readReply"],
  ["heard", "received, reply"],
  ["lesson", "sample (CalibrationSample)"],
  ["lessons", "samples (CalibrationSample)"],
  ["mend", "repair"],
  ["nobody", "none"],
  ["shelf", "cache (EpochCache)"],
  ["shelved", "cached (EpochCache)"],
  ["spell", "format, encode, write"],
  ["spelled", "formatted, encoded, written"],
  ["stand", "replace, placeholder"],
  ["stood", "was"],
  ["tell", "report, describe"],
  ["told", "reported, reply, result"],
  ["trade", "protocol (WorkerProtocol)"],
  ["undress", "removeFormat"],
  ["untold", "unreported"],
  ["whoever", "caller"],
  ["wish", "query, options (RouteQuery)"],
]);

/** Whole names that have another word now. The words themselves are fine in their ordinary meaning. */
export const RETIRED_NAMES: ReadonlyMap<string, string> = new Map([
  ["asItCame", "unchanged"],
  ["inTurn", "withLease, one by one"],
  ["isResting", "isCircuitOpen"],
  ["Latest", "LruMap"],
  ["NotOurs", "withLease"],
  ["notOurs", "withLease"],
  ["openPlaces", "openHandles"],
  ["openTurn", "openFitRequest"],
  ["Place", "UpstreamHandle, path, position"],
  ["standIn", "placeholder, replacement"],
  ["Target", "Destination (a target is a size)"],
  ["Turn", "FitRequest (a turn is a user turn, as in `turns` of the package conversation)"],
  ["wireTarget", "wireDestination"],
]);

const NAME_IN_PROSE = /`([A-Za-z_$][\w$]*)`/g;

/** Finds the old vocabulary in one file: in its path, in the names that a source uses, and in names that comments and Markdown quote. */
export function findRetiredNames(file: TextFile): RetiredName[] {
  const { path, text } = file;
  const found: RetiredName[] = [];
  const add = (name: string, offset: number) => {
    const word = retiredWordIn(name);
    if (word !== undefined) found.push({ path, line: lineAt(text, offset), name, word });
  };
  const addProse = (prose: string, start: number) => {
    for (const { 1: name = "", index } of prose.matchAll(NAME_IN_PROSE)) add(name, start + index);
  };
  for (const part of path.split(/[/.]/)) add(part, 0);
  if (path.endsWith(".md")) addProse(text, 0);
  else {
    const { program, comments } = parseSource(file);
    for (const { start, value } of comments) addProse(value, start);
    new Visitor({
      Identifier: ({ name, start }) => add(name, start),
      JSXIdentifier: ({ name, start }) => add(name, start),
    }).visit(program);
  }
  return found;
}

function retiredWordIn(name: string): string | undefined {
  if (RETIRED_NAMES.has(name)) return name;
  return wordsOf(name).find((word) => RETIRED_WORDS.has(word));
}

/** Splits a name into lower-case words without their endings: `targetDressing` into `target` and `dress`. */
function wordsOf(name: string): string[] {
  return name
    .split(/(?=[A-Z])|[_$-]/)
    .map((word) => word.toLowerCase())
    .map((word) => word.replace(/(?<=^(?:dress|tell|hear|mend|stand|wish|trade))(?:e?s|ed|ing)$/, ""));
}

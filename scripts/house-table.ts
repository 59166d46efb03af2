// Prints the sizes of all packages, optionally next to another checkout's: `npm run house -- ../other`.
import { resolve } from "node:path";
import { parseSource } from "../test/architecture/source-file.ts";
import { ROOT, readFiles } from "../test/repository.ts";
import { type HouseFigures, measureHouse } from "./house-figures.ts";

const [other] = process.argv.slice(2);
const after = figuresIn(ROOT);
const before = other === undefined ? undefined : figuresIn(resolve(other));
const names = [...new Set([...(before?.keys() ?? []), ...after.keys()])].filter((name) => name !== "all").sort();
const rows = [...names, "all"].map((name) => [name, row(before?.get(name), after.get(name))] as const);
console.table(Object.fromEntries(rows));
for (const folder of after.get("all")?.largeFolders ?? []) console.log(`more than 20 files: ${folder}`);

function figuresIn(root: string): Map<string, HouseFigures> {
  return measureHouse(readFiles((path) => /^packages\/.*\.tsx?$/.test(path), root).map(parseSource));
}

function row(old: HouseFigures | undefined, now: HouseFigures | undefined): Record<string, string> {
  const cell = (show: (figures: HouseFigures) => string | number) => {
    const [was, is] = [old, now].map((figures) => (figures === undefined ? "–" : `${show(figures)}`));
    return before === undefined ? `${is}` : `${was} → ${is}`;
  };
  return {
    files: cell(({ files }) => files),
    lines: cell(({ lines }) => lines),
    "function p50/p95/max": cell(({ functions }) => functions.join("/")),
    root: cell(({ rootFiles }) => rootFiles),
    "< 15 lines": cell(({ under15Lines }) => under15Lines),
    "< 40, one importer": cell(({ singleImporter }) => singleImporter),
    "folders > 20": cell(({ largeFolders }) => largeFolders.length),
    formats: cell(({ formatComparisons }) => formatComparisons),
    kinds: cell(({ kindComparisons }) => kindComparisons),
  };
}

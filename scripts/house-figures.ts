import { posix } from "node:path";
import { Visitor } from "oxc-parser";
import {
  isRelative,
  packageOf,
  purposeOf,
  resolveRelative,
  type SourceFile,
} from "../test/architecture/source-file.ts";

/** Size figures of one package, or of all. */
export interface HouseFigures {
  readonly files: number;
  readonly lines: number;
  /** Lines per function: the median, the 95th percentile and the longest. */
  readonly functions: readonly [median: number, p95: number, longest: number];
  /** Source files directly in `src`. */
  readonly rootFiles: number;
  readonly under15Lines: number;
  /** Files under 40 lines with exactly one importer. */
  readonly singleImporter: number;
  /** Folders with more than 20 source files, not counting subfolders. */
  readonly largeFolders: readonly string[];
  /** Comparisons with the name of a wire format, or constants that name one for that. */
  readonly formatComparisons: number;
  /** Comparisons with the kind of an upstream. */
  readonly kindComparisons: number;
}

const FORMATS = new Set(["anthropic-messages", "openai-chat", "openai-responses", "gemini"]);
const KINDS = new Set([
  "anthropic",
  "openai",
  "openai-compatible",
  "gemini",
  "openrouter",
  "bedrock",
  "vertex",
  "simulator",
]);
const SMALL_LINES = 15;
const SINGLE_LINES = 40;
const LARGE_FOLDER = 20;

/** Measures the sources of every package, without tests and test data. */
export function measureHouse(files: readonly SourceFile[]): Map<string, HouseFigures> {
  const sources = files.filter(({ path }) => packageOf(path) !== undefined && purposeOf(path) === "source");
  const importers = countImporters(sources);
  const names = [...new Set(sources.flatMap(({ path }) => packageOf(path) ?? []))].sort();
  return new Map([
    ...names.map((name) => {
      const own = sources.filter(({ path }) => packageOf(path) === name);
      return [name, figuresOf(own, importers)] as const;
    }),
    ["all", figuresOf(sources, importers)] as const,
  ]);
}

function figuresOf(files: readonly SourceFile[], importers: ReadonlyMap<string, number>): HouseFigures {
  const lengths = files.flatMap(functionLengths).sort((a, b) => a - b);
  const at = (share: number) => lengths[Math.min(lengths.length - 1, Math.floor(lengths.length * share))] ?? 0;
  const folders = Map.groupBy(files, ({ path }) => posix.dirname(path));
  const compared = files.map(comparisonsIn);
  return {
    files: files.length,
    lines: files.reduce((sum, file) => sum + linesOf(file), 0),
    functions: [at(0.5), at(0.95), at(1)],
    rootFiles: files.filter(({ path }) => posix.basename(posix.dirname(path)) === "src").length,
    under15Lines: files.filter((file) => linesOf(file) < SMALL_LINES).length,
    singleImporter: files.filter((file) => linesOf(file) < SINGLE_LINES && importers.get(file.path) === 1).length,
    largeFolders: [...folders].filter(([, inside]) => inside.length > LARGE_FOLDER).map(([folder]) => folder),
    formatComparisons: compared.reduce((sum, { formats }) => sum + formats, 0),
    kindComparisons: compared.reduce((sum, { kinds }) => sum + kinds, 0),
  };
}

function linesOf({ text }: SourceFile): number {
  return text.split("\n").length - 1;
}

function countImporters(files: readonly SourceFile[]): Map<string, number> {
  const counts = new Map<string, number>();
  for (const { path, imports } of files) {
    const targets = new Set(
      imports.filter(({ specifier }) => isRelative(specifier)).map(({ specifier }) => resolveRelative(path, specifier)),
    );
    for (const target of targets) counts.set(target, (counts.get(target) ?? 0) + 1);
  }
  return counts;
}

function functionLengths({ text, program }: SourceFile): number[] {
  const lengths: number[] = [];
  const add = ({ start, end }: { readonly start: number; readonly end: number }) => {
    lengths.push(text.slice(start, end).split("\n").length);
  };
  new Visitor({ FunctionDeclaration: add, MethodDefinition: add }).visit(program);
  return lengths;
}

/** A string literal in the parser's AST. */
interface Text {
  readonly type: string;
  readonly value?: unknown;
}

function comparisonsIn({ program }: SourceFile): { readonly formats: number; readonly kinds: number } {
  let formats = 0;
  let kinds = 0;
  const see = (literal: Text | null | undefined, isOfKind: boolean) => {
    if (literal?.type !== "Literal" || typeof literal.value !== "string") return;
    if (isOfKind && KINDS.has(literal.value)) kinds++;
    else if (!isOfKind && FORMATS.has(literal.value)) formats++;
  };
  new Visitor({
    BinaryExpression: ({ left, right }) => {
      const isOfKind = isKind(left) || isKind(right);
      see(left, isOfKind);
      see(right, isOfKind);
    },
    SwitchCase: ({ test }) => see(test, false),
    VariableDeclarator: ({ init }) => see(init, false),
  }).visit(program);
  return { formats, kinds };
}

/** Whether an expression is a variable or property named `kind`. */
function isKind(expression: object): boolean {
  const { name, property } = expression as { name?: string; property?: { name?: string } };
  return name === "kind" || property?.name === "kind";
}

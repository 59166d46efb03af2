import { isBuiltin } from "node:module";
import { posix } from "node:path";
import { type Comment, type Program, parseSync, Visitor } from "oxc-parser";

/** A file of the repository: its path from the root, with slashes, and its text. */
export interface TextFile {
  readonly path: string;
  readonly text: string;
}

/** A parsed file. */
export interface SourceFile extends TextFile {
  readonly program: Program;
  readonly comments: readonly Comment[];
  readonly imports: readonly Import[];
}

/** An import of any kind: import, re-export, dynamic import, type import. */
export interface Import {
  readonly specifier: string;
  readonly line: number;
}

/** The purpose of a file in a package. `testing` contains shared test data, which only tests import. */
export type Purpose = "source" | "test" | "testing";

/** Parses a TypeScript file; throws if it does not parse. */
export function parseSource(file: TextFile): SourceFile {
  const { program, comments, errors } = parseSync(file.path, file.text);
  if (errors[0] !== undefined) throw new Error(`${file.path} does not parse: ${errors[0].message}`);
  return { ...file, program, comments, imports: importsOf(file, program) };
}

/** The line of an offset, counted from 1. */
export function lineAt(text: string, offset: number): number {
  return text.slice(0, offset).split("\n").length;
}

export function packageOf(path: string): string | undefined {
  return /^packages\/([^/]+)\//.exec(path)?.[1];
}

export function purposeOf(path: string): Purpose {
  if (path.endsWith(".test.ts")) return "test";
  return path.includes("/testing/") ? "testing" : "source";
}

export function resolveRelative(from: string, specifier: string): string {
  return posix.join(posix.dirname(from), specifier);
}

export function isRelative(specifier: string): boolean {
  return specifier.startsWith(".");
}

/** Whether a specifier names one of Node's modules, with or without `node:`. */
export function isNodeModule(specifier: string): boolean {
  return specifier.startsWith("node:") || isBuiltin(specifier);
}

function importsOf(file: TextFile, program: Program): Import[] {
  const found: Import[] = [];
  const add = (source: { readonly start: number; readonly value?: unknown } | null | undefined) => {
    if (source)
      found.push({ specifier: String(source.value ?? "a computed module"), line: lineAt(file.text, source.start) });
  };
  new Visitor({
    ImportDeclaration: (node) => add(node.source),
    ExportAllDeclaration: (node) => add(node.source),
    ExportNamedDeclaration: (node) => add(node.source),
    ImportExpression: (node) => add(node.source.type === "Literal" ? node.source : { start: node.source.start }),
    TSImportType: (node) => add(node.source),
  }).visit(program);
  return found;
}

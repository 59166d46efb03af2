import { Visitor } from "oxc-parser";
import { lineAt, packageOf, purposeOf, type SourceFile } from "./source-file.ts";

/** The simulator may not import `conversation`, and the dashboard reads only the gateway's own responses. */
const EXEMPT = new Set(["simulator", "dashboard"]);
/** Declares `parseJsonText`. */
const OWNER = "packages/conversation/src/values/parse-json-text.ts";

/**
 * Returns calls of `JSON.parse` outside `parseJsonText`, which works around a defect of V8. A template that is a single string has no keys.
 */
export function directJsonParsing(files: readonly SourceFile[]): string[] {
  return files
    .filter(isChecked)
    .flatMap((file) =>
      parseCalls(file).map((start) => `${file.path}:${lineAt(file.text, start)} calls JSON.parse; use parseJsonText`),
    );
}

function isChecked({ path }: SourceFile): boolean {
  const name = packageOf(path);
  return name !== undefined && !EXEMPT.has(name) && path !== OWNER && purposeOf(path) === "source";
}

function parseCalls({ program, text }: SourceFile): number[] {
  const found: number[] = [];
  new Visitor({
    CallExpression: ({ start, callee, arguments: [argument] }) => {
      const isParse = text.slice(callee.start, callee.end) === "JSON.parse";
      const isString = argument !== undefined && text.startsWith('`"', argument.start);
      if (isParse && !isString) found.push(start);
    },
  }).visit(program);
  return found;
}

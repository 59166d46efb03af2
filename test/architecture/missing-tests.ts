import { Visitor } from "oxc-parser";
import { isRelative, packageOf, purposeOf, resolveRelative, type SourceFile } from "./source-file.ts";

/**
 * Returns sources with logic that no test of their package imports, directly or indirectly; coverage is checked separately. Types,
 * re-exports and plain data need no test; views are tested in a browser, under `test/dashboard`.
 */
export function missingTests(files: readonly SourceFile[]): string[] {
  const own = files.filter(({ path }) => packageOf(path) !== undefined);
  const reached = reachedFrom(
    own.filter(({ path }) => purposeOf(path) === "test"),
    new Map(own.map((file) => [file.path, file])),
  );
  return own
    .filter((file) => purposeOf(file.path) === "source" && file.path.endsWith(".ts") && hasLogic(file))
    .filter((file) => !reached.has(file.path))
    .map((file) => `${file.path} is reached by no test of its package`);
}

function reachedFrom(tests: readonly SourceFile[], files: ReadonlyMap<string, SourceFile>): Set<string> {
  const reached = new Set<string>();
  const left = [...tests];
  for (let file = left.pop(); file !== undefined; file = left.pop()) {
    if (reached.has(file.path)) continue;
    reached.add(file.path);
    for (const specifier of [...file.imports.map((made) => made.specifier), ...programsIn(file)]) {
      const next = isRelative(specifier) ? files.get(resolveRelative(file.path, specifier)) : undefined;
      if (next !== undefined) left.push(next);
    }
  }
  return reached;
}

/** Returns the files that a file starts as workers. */
function programsIn({ text }: SourceFile): string[] {
  return [...text.matchAll(/new URL\("(\.[^"]+)", import\.meta\.url\)/g)].map((found) => found[1] ?? "");
}

function hasLogic(file: SourceFile): boolean {
  let found = false;
  const logic = () => {
    found = true;
  };
  new Visitor({
    FunctionDeclaration: logic,
    FunctionExpression: logic,
    ArrowFunctionExpression: logic,
    ClassDeclaration: logic,
    ClassExpression: logic,
    IfStatement: logic,
    SwitchStatement: logic,
    TryStatement: logic,
    ForStatement: logic,
    ForOfStatement: logic,
    WhileStatement: logic,
  }).visit(file.program);
  return found;
}

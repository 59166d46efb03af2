import { Visitor } from "oxc-parser";
import { packageOf, purposeOf, type SourceFile } from "./source-file.ts";

/** Sources of packages that do something and have no test beside them. Types, re-exports and plain data need none; views are seen in a browser, under `test/dashboard`. */
export function missingTests(files: readonly SourceFile[]): string[] {
  const paths = new Set(files.map((file) => file.path));
  return files
    .filter((file) => packageOf(file.path) !== undefined && purposeOf(file.path) === "source" && hasLogic(file))
    .filter((file) => file.path.endsWith(".ts") && !paths.has(file.path.replace(/\.ts$/, ".test.ts")))
    .map((file) => `${file.path} has no test beside it`);
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

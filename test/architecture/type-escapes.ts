import { type ArrowFunctionExpression, type Function as FunctionNode, Visitor } from "oxc-parser";
import { lineAt, packageOf, purposeOf, type SourceFile } from "./source-file.ts";

interface Span {
  readonly start: number;
  readonly end: number;
}

/** Returns type assertions in sources, except `as const` and those inside a type guard. */
export function typeEscapes(files: readonly SourceFile[]): string[] {
  return files
    .filter((file) => packageOf(file.path) !== undefined && purposeOf(file.path) === "source")
    .flatMap((file) =>
      assertionsIn(file).map(
        (span) => `${file.path}:${lineAt(file.text, span.start)} asserts a type: ${excerpt(file, span)}`,
      ),
    );
}

function assertionsIn(file: SourceFile): Span[] {
  const assertions: Span[] = [];
  const guards: Span[] = [];
  const noteGuard = (node: FunctionNode | ArrowFunctionExpression) => {
    if (node.returnType?.typeAnnotation.type === "TSTypePredicate") guards.push(node);
  };
  new Visitor({
    FunctionDeclaration: noteGuard,
    FunctionExpression: noteGuard,
    ArrowFunctionExpression: noteGuard,
    TSTypeAssertion: (node) => assertions.push(node),
    TSAsExpression: (node) => {
      if (file.text.slice(node.typeAnnotation.start, node.typeAnnotation.end) !== "const") assertions.push(node);
    },
  }).visit(file.program);
  return assertions.filter(({ start, end }) => !guards.some((guard) => guard.start <= start && end <= guard.end));
}

function excerpt(file: SourceFile, { start, end }: Span): string {
  return file.text.slice(start, end).replace(/\s+/g, " ").slice(0, 80);
}

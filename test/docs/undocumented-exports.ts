import type { Program } from "oxc-parser";
import { isRelative, lineAt, resolveRelative, type SourceFile } from "../architecture/source-file.ts";

type Statement = Program["body"][number];

/** Returns exports that are reachable from the entry files and have no doc comment. */
export function undocumentedExports(entries: readonly string[], files: readonly SourceFile[]): string[] {
  const byPath = new Map(files.map((file) => [file.path, file]));
  const seen = new Set<string>();
  const visit = (path: string, wanted?: ReadonlySet<string>): string[] => {
    const file = byPath.get(path);
    const key = `${path} ${wanted === undefined ? "" : [...wanted].join()}`;
    if (file === undefined || seen.has(key)) return [];
    seen.add(key);
    return file.program.body.flatMap((statement) => {
      if (statement.type === "ExportAllDeclaration") return follow(statement.source.value, undefined);
      if (statement.type !== "ExportNamedDeclaration") return [];
      if (statement.source) return follow(statement.source.value, new Set(statement.specifiers.map(nameOf)));
      if (isDocumented(file, statement) || implementsOverload(file, statement)) return [];
      return undocumentedIn(file, statement, wanted);
    });

    function follow(specifier: string, names: ReadonlySet<string> | undefined): string[] {
      return isRelative(specifier) ? visit(resolveRelative(path, specifier), names) : [];
    }
  };
  return [...new Set(entries.flatMap((entry) => visit(entry)))];
}

function undocumentedIn(file: SourceFile, statement: Statement, wanted: ReadonlySet<string> | undefined): string[] {
  const names = declaredNames(statement).filter((name) => wanted === undefined || wanted.has(name));
  return names.map((name) => `${file.path}:${lineAt(file.text, statement.start)} ${name} has no doc comment`);
}

/** The signature before an implementation has its doc comment. */
function implementsOverload({ program }: SourceFile, statement: Statement): boolean {
  const before = program.body[program.body.indexOf(statement) - 1];
  const isSignature = before?.type === "ExportNamedDeclaration" && before.declaration?.type === "TSDeclareFunction";
  return isSignature && declaredNames(before).join() === declaredNames(statement).join();
}

/** A doc comment is directly before the statement, separated only by whitespace. */
function isDocumented(file: SourceFile, statement: Statement): boolean {
  return file.comments.some(
    ({ type, value, end }) =>
      type === "Block" &&
      value.startsWith("*") &&
      end <= statement.start &&
      file.text.slice(end, statement.start).trim() === "",
  );
}

function declaredNames(statement: Statement): string[] {
  if (statement.type !== "ExportNamedDeclaration") return [];
  const { declaration, specifiers } = statement;
  if (declaration === null) return specifiers.map(nameOf);
  if (declaration.type === "VariableDeclaration") {
    return declaration.declarations.map(({ id }) => (id.type === "Identifier" ? id.name : "a pattern"));
  }
  return "id" in declaration && declaration.id?.type === "Identifier" ? [declaration.id.name] : [];
}

function nameOf({
  local,
}: {
  readonly local: { readonly type: string; readonly name?: string; readonly value?: string };
}): string {
  return local.name ?? local.value ?? "";
}

import { type Expression, type Program, type VariableDeclarator, Visitor } from "oxc-parser";
import { lineAt, packageOf, purposeOf, type SourceFile } from "./source-file.ts";

/** The simulator may not import `conversation`, and the dashboard looks up only its own names. */
const EXEMPT = new Set(["simulator", "dashboard"]);

/**
 * Returns plain objects that are indexed by a computed key. `object["constructor"]` finds the prototype's, so lookup tables must use
 * `table` or a `Map`. An exported table is found by name in every file that imports it.
 */
export function openTables(files: readonly SourceFile[]): string[] {
  const sources = files.filter(({ path }) => isChecked(path));
  const indexed = sources.map((file) => ({ file, ...indexedIn(file) }));
  const imported = new Set(indexed.flatMap(({ imports }) => imports));
  return indexed.flatMap(({ file, names, inline }) => [
    ...inline.map((start) => `${placeOf(file, start)} indexes an object literal; make it a constant with table({…})`),
    ...literalsIn(file.program).flatMap(({ name, start, isExported }) =>
      names.has(name) || (isExported && imported.has(name))
        ? [`${placeOf(file, start)} ${name} is indexed by a computed key; make it with table({…})`]
        : [],
    ),
  ]);
}

function isChecked(path: string): boolean {
  const name = packageOf(path);
  return name !== undefined && !EXEMPT.has(name) && purposeOf(path) === "source";
}

function placeOf({ path, text }: SourceFile, start: number): string {
  return `${path}:${lineAt(text, start)}`;
}

interface Literal {
  readonly name: string;
  readonly start: number;
  readonly isExported: boolean;
}

/** Returns the constants of a module that are object literals. */
function literalsIn({ body }: Program): Literal[] {
  return body.flatMap((statement) => {
    const isExported = statement.type === "ExportNamedDeclaration";
    const declaration = isExported ? statement.declaration : statement;
    if (declaration?.type !== "VariableDeclaration") return [];
    return declaration.declarations.filter(isLiteral).flatMap(({ id, start }) => {
      return id.type === "Identifier" ? [{ name: id.name, start, isExported }] : [];
    });
  });
}

function isLiteral({ init }: VariableDeclarator): boolean {
  let value: Expression | null = init;
  while (value?.type === "TSSatisfiesExpression" || value?.type === "TSAsExpression") value = value.expression;
  return value?.type === "ObjectExpression";
}

/** Returns the objects that a file indexes by computed keys: own names, imported names, and literals. */
function indexedIn({ program }: SourceFile) {
  const locals = new Map<string, string>();
  const names = new Set<string>();
  const inline: number[] = [];
  new Visitor({
    ImportSpecifier: ({ local, imported }) => {
      if (imported.type === "Identifier") locals.set(local.name, imported.name);
    },
    MemberExpression: ({ computed, object, property, start }) => {
      if (!computed || property.type === "Literal") return;
      if (object.type === "ObjectExpression") inline.push(start);
      if (object.type === "Identifier") names.add(object.name);
    },
  }).visit(program);
  return { names, inline, imports: [...names].flatMap((name) => locals.get(name) ?? []) };
}

import { type Expression, type NewExpression, Visitor } from "oxc-parser";
import { PACKAGE_TABLE } from "./package-table.ts";
import { isNodeModule, lineAt, packageOf, purposeOf, type SourceFile } from "./source-file.ts";

/** Impure globals: clock, randomness, environment, timers, network, garbage collector, locale. */
const IMPURE_GLOBALS = new Set(
  `performance crypto process global globalThis navigator window self Deno Bun setTimeout setInterval setImmediate queueMicrotask
   fetch console require Buffer WeakRef FinalizationRegistry Intl`.split(/\s+/),
);

/** Allowed members of two globals that are partly impure. */
const PURE_MEMBERS: Readonly<Record<string, (member: string) => boolean>> = {
  Date: (member) => member === "parse" || member === "UTC",
  Math: (member) => member !== "random",
};

/** Asynchronous entry points whose clock is an option: without one, the report uses the system's. The engine behind them has none. */
const OPTIONAL_CLOCKS: ReadonlySet<string> = new Set(["packages/condense/src/condense.ts"]);

/** Allowed methods of a date with a given time: all others depend on the time zone. */
const UTC_METHODS = /^(toISOString|toJSON|getTime|valueOf|getUTC\w+)$/;

/** Methods that depend on the locale. */
const LOCAL_METHODS = /^(localeCompare|toLocale\w+)$/;

/** Returns the uses of time, randomness, environment or Node in the sources of pure packages. */
export function impurities(files: readonly SourceFile[]): string[] {
  return files
    .filter((file) => PACKAGE_TABLE[packageOf(file.path) ?? ""]?.isPure === true && purposeOf(file.path) === "source")
    .flatMap((file) => [...impureImports(file), ...impureNames(file)]);
}

function impureImports(file: SourceFile): string[] {
  return file.imports
    .filter(({ specifier }) => isNodeModule(specifier))
    .map(({ specifier, line }) => `${file.path}:${line} imports ${specifier}`);
}

function impureNames(file: SourceFile): string[] {
  const found: string[] = [];
  const notReferences = new Set<number>();
  const report = (node: { readonly start: number }, name: string) =>
    found.push(`${file.path}:${lineAt(file.text, node.start)} uses ${name}`);
  const skip = (node: { readonly start: number }) => notReferences.add(node.start);
  const skipKey = (node: { readonly key: { readonly start: number }; readonly computed?: boolean }) => {
    if (node.computed !== true) skip(node.key);
  };
  new Visitor({
    MemberExpression: ({ object, property, computed }) => {
      if (computed || property.type !== "Identifier") return;
      skip(property);
      if (object.type === "Identifier" && PURE_MEMBERS[object.name]?.(property.name)) skip(object);
      if (OPTIONAL_CLOCKS.has(file.path) && property.name === "now") skip(object);
      if (isGivenDate(object) && UTC_METHODS.test(property.name)) skip(object.callee);
      if (LOCAL_METHODS.test(property.name)) report(property, property.name);
    },
    Property: (node) => {
      if (!node.shorthand) skipKey(node);
    },
    PropertyDefinition: skipKey,
    MethodDefinition: skipKey,
    TSPropertySignature: skipKey,
    TSMethodSignature: skipKey,
    TSTypeReference: ({ typeName }) => skip(typeName),
    MetaProperty: (node) => report(node, "import.meta"),
    Identifier: (node) => {
      const isImpure = IMPURE_GLOBALS.has(node.name) || Object.hasOwn(PURE_MEMBERS, node.name);
      if (isImpure && !notReferences.has(node.start)) report(node, node.name);
    },
  }).visit(file.program);
  // A shorthand property is visited twice, as key and as value.
  return [...new Set(found)];
}

function isGivenDate(node: Expression): node is NewExpression {
  return (
    node.type === "NewExpression" &&
    node.callee.type === "Identifier" &&
    node.callee.name === "Date" &&
    node.arguments.length > 0
  );
}

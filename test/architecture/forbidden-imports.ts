import { PACKAGE_TABLE, SCOPE } from "./package-table.ts";
import { type Import, isRelative, packageOf, purposeOf, resolveRelative, type SourceFile } from "./source-file.ts";

/** Returns the imports that the table does not allow, one line each. */
export function forbiddenImports(files: readonly SourceFile[]): string[] {
  return files.flatMap((file) =>
    file.imports.flatMap((made) => {
      const fault = faultOf(file, made);
      return fault === undefined ? [] : [`${file.path}:${made.line} ${fault}`];
    }),
  );
}

function faultOf(file: SourceFile, { specifier }: Import): string | undefined {
  const owner = packageOf(file.path);
  if (owner === undefined) return undefined;
  const rule = PACKAGE_TABLE[owner];
  if (rule === undefined) return `belongs to the package ${owner}, which the table does not list`;
  const isSource = purposeOf(file.path) === "source";
  if (isRelative(specifier)) return relativeFault(file.path, specifier);
  if (!specifier.startsWith(SCOPE)) return undefined;
  const wanted = specifier.slice(SCOPE.length);
  if (isSource && wanted.endsWith("/testing")) return `imports test data (${specifier}) outside of tests`;
  const allowed = isSource
    ? rule.mayImport
    : [...rule.mayImport, ...(rule.testsMayImport ?? []), "conversation", owner];
  const isAllowed = allowed.some((name) => wanted === name || wanted.startsWith(`${name}/`));
  return isAllowed ? undefined : `imports ${specifier}, which ${owner} may not`;
}

function relativeFault(from: string, specifier: string): string | undefined {
  const target = resolveRelative(from, specifier);
  if (packageOf(target) !== packageOf(from)) return `reaches out of its package with ${specifier}`;
  if (purposeOf(target) === "test") return `imports a test (${specifier})`;
  const isTestData = purposeOf(from) === "source" && purposeOf(target) === "testing";
  return isTestData ? `imports test data (${specifier}) outside of tests` : undefined;
}

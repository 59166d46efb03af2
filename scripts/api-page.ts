import { posix } from "node:path";
import { type Comment, type Program, parseSync } from "oxc-parser";
import { publishedEntries, type WorkspaceManifest } from "./pack-manifest.ts";

interface Exported {
  readonly name: string;
  /** The file that declares it, relative to the package. */
  readonly path: string;
  readonly doc: string;
  /** Its declaration without the body. */
  readonly signature: string;
}

/** Returns the page of a package's exports: doc comment and declaration of each, grouped by file. */
export function apiPage(title: string, entries: readonly (readonly [string, readonly Exported[]])[]): string {
  const parts = entries.flatMap(([specifier, all]) => [`## \`${specifier}\``, ...byFile(all).flatMap(filePart)]);
  return `${[`# ${title}`, INTRODUCTION, ...parts].join("\n\n")}\n`;
}

const INTRODUCTION = "All exports with their doc comments, generated from the sources by `npm run api`.";

function byFile(all: readonly Exported[]): (readonly [string, readonly Exported[]])[] {
  return [...Map.groupBy(all, ({ path }) => path)];
}

function filePart([path, all]: readonly [string, readonly Exported[]]): string[] {
  return [`### ${posix.basename(path, ".ts")}`, ...all.map(exportPart)];
}

function exportPart({ name, doc, signature }: Exported): string {
  return [`**\`${name}\`**: ${doc}`, `\`\`\`typescript\n${signature}\n\`\`\``].join("\n\n");
}

/** Returns the exports of a file: its own and re-exported ones, in order. */
export function exportsOf(path: string, read: (path: string) => string): Exported[] {
  const text = read(path);
  const { program, comments } = parseSync(path, text);
  const file = { path, text, comments };
  return program.body.flatMap((statement): Exported[] => {
    if (statement.type === "ExportAllDeclaration") return exportsOf(resolve(path, statement.source.value), read);
    if (statement.type !== "ExportNamedDeclaration") return [];
    if (statement.source === null) return declared(statement, file);
    const passedOn = exportsOf(resolve(path, statement.source.value), read);
    return statement.specifiers.flatMap(({ local, exported }) => {
      const found = passedOn.find(({ name }) => name === nameOf(local));
      return found === undefined ? [] : [{ ...found, name: nameOf(exported) }];
    });
  });
}

type Statement = Extract<Program["body"][number], { type: "ExportNamedDeclaration" }>;
type Declaration = NonNullable<Statement["declaration"]>;

interface ParsedFile {
  readonly path: string;
  readonly text: string;
  readonly comments: readonly Comment[];
}

function declared({ declaration, start }: Statement, file: ParsedFile): Exported[] {
  const doc = docBefore(start, file);
  // The implementation of an overload has no comment, and its signature is not visible.
  if (declaration === null || (declaration.type === "FunctionDeclaration" && doc === "")) return [];
  const of = (name: string, signature: string): Exported => ({ name, path: file.path, doc, signature });
  if (declaration.type === "VariableDeclaration") {
    return declaration.declarations.map((one) => of(nameOf(one.id), variable(one, file.text)));
  }
  if (!("id" in declaration) || declaration.id === null) return [];
  return [of(nameOf(declaration.id), signatureOf(declaration, file.text))];
}

function signatureOf(declaration: Declaration, text: string): string {
  if (declaration.type === "FunctionDeclaration") return upTo(declaration, declaration.body, text);
  if (declaration.type !== "ClassDeclaration") return text.slice(declaration.start, declaration.end);
  const members = declaration.body.body.flatMap((member) => {
    const isPrivate = "key" in member && member.key.type === "PrivateIdentifier";
    const value = "value" in member ? member.value : null;
    const body = value !== null && "body" in value && !Array.isArray(value.body) ? value.body : null;
    return isPrivate ? [] : [`  ${upTo(member, body, text)}`];
  });
  return [upTo(declaration, declaration.body, text), ...members, "}"].join("\n").replace("\n", " {\n");
}

/** Longer values say less than their doc comment. */
const MAX_VALUE_CHARS = 100;

function variable({ id, init }: { readonly id: Located; readonly init?: Located | null }, text: string): string {
  const named = `const ${text.slice(id.start, id.end)}`;
  if (init === undefined || init === null || named.includes(":")) return named;
  const value = text.slice(init.start, init.end);
  return value.length > MAX_VALUE_CHARS ? named : `${named} = ${value}`;
}

interface Located {
  readonly start: number;
  readonly end: number;
}

function upTo(from: Located, to: Located | null | undefined, text: string): string {
  return text.slice(from.start, to?.start ?? from.end).trim();
}

function docBefore(start: number, { text, comments }: ParsedFile): string {
  const doc = comments.findLast(({ end }) => end <= start && text.slice(end, start).trim() === "");
  const lines = (doc?.value ?? "").split("\n").map((line) => line.replace(/^\s*\*+\s?/, "").trim());
  return lines.filter((line) => line !== "").join("\n");
}

function nameOf(node: { readonly type: string; readonly name?: unknown; readonly value?: unknown }): string {
  return String(node.name ?? node.value ?? "");
}

function resolve(path: string, specifier: string): string {
  return posix.join(posix.dirname(path), specifier);
}

/** The published libraries, each after its dependencies. */
export const LIBRARIES = ["conversation", "models", "condense", "wire", "logs", "adapters"] as const;

/** An entry that exports everything; its page lists what the others do not. */
const ADVANCED = "./advanced";

export function libraryPage(name: string, read: (path: string) => string): string {
  const folder = `packages/${name}`;
  const manifest: WorkspaceManifest = JSON.parse(read(`${folder}/package.json`));
  const listed = new Set<string>();
  const entries = publishedEntries(manifest).map(([entry, source]) => {
    const all = exportsOf(posix.join(folder, source), read);
    const added = entry === ADVANCED ? all.filter(({ name: exported }) => !listed.has(exported)) : all;
    for (const { name: exported } of added) listed.add(exported);
    return [posix.join(manifest.name, entry), added] as const;
  });
  return apiPage(`Exports of ${manifest.name}`, entries);
}

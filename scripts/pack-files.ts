import { existsSync, mkdirSync, readdirSync, readFileSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";

/** Returns the license texts of all bundled packages; empty if there are none. */
export function licensesOf(modules: readonly string[]): string {
  const folders = new Set(modules.flatMap((path) => folderOfPackage(path) ?? []));
  return [...folders]
    .sort()
    .map(noticeOf)
    .join(`\n${"-".repeat(80)}\n\n`);
}

/** Returns the folder of the package that a file belongs to; `undefined` for our own. */
export function folderOfPackage(path: string): string | undefined {
  return /^.*\/node_modules\/(?:@[^/]+\/)?[^/]+(?=\/)/.exec(path.replaceAll("\\", "/"))?.[0];
}

function noticeOf(folder: string): string {
  const { name, version, license } = JSON.parse(readFileSync(join(folder, "package.json"), "utf8"));
  const file = readdirSync(folder).find((entry) => /^licen[cs]e/i.test(entry));
  const text = file === undefined ? "" : `\n${readFileSync(join(folder, file), "utf8").trim()}\n`;
  return `${name} ${version} (${license})\n${text}`;
}

/** Copies a README, and the folder `docs` if there is one, without links to files that are not published. */
export function copyPages({ readme, docs }: { readonly readme: string; readonly docs?: string }, to: string): void {
  const pages = docs === undefined ? [] : pagesIn(docs).map((path) => [join(docs, path), join("docs", path)] as const);
  const all = [[readme, "README.md"] as const, ...pages];
  const published = new Set(all.map(([, path]) => path));
  for (const [source, path] of all) {
    const isThere = (link: string) =>
      published.has(join(dirname(path), link)) || existsSync(join(to, dirname(path), link));
    mkdirSync(dirname(join(to, path)), { recursive: true });
    writeFileSync(join(to, path), withoutBrokenLinks(readFileSync(source, "utf8"), isThere));
  }
}

/** Replaces links to missing files by their text, and removes missing images. */
export function withoutBrokenLinks(page: string, isThere: (path: string) => boolean): string {
  return page.replaceAll(/!?\[([^\]]+)\]\(([^)\s]+)\)/g, (link, words: string, target: string) => {
    const [path = ""] = target.split("#");
    if (path === "" || /^[a-z]+:/.test(path) || isThere(path)) return link;
    return link.startsWith("!") ? "" : words;
  });
}

/** Lists the pages of a docs folder, without the decisions, which are for contributors. */
export function pagesIn(docs: string): string[] {
  const paths = readdirSync(docs, { recursive: true, encoding: "utf8" });
  return paths.filter((path) => path.endsWith(".md") && !path.startsWith("decisions"));
}

/** Copies type declarations next to a library's built files. */
export function copyTypes(from: string, to: string): void {
  for (const path of readdirSync(from, { recursive: true, encoding: "utf8" })) {
    if (!path.endsWith(".d.ts")) continue;
    mkdirSync(dirname(join(to, path)), { recursive: true });
    writeFileSync(join(to, path), builtSpecifiers(readFileSync(join(from, path), "utf8")));
  }
}

/** Points imports of source files to the built files beside them. */
export function builtSpecifiers(text: string): string {
  return text.replaceAll(/(from |import\()"(\.{1,2}\/[^"]+)\.ts"/g, '$1"$2.js"');
}

/**
 * The file that npm puts on the path. It enables Node's compile cache for faster starts, and reports a Node that is too old, because npm
 * only warns about it.
 */
export function startFile(engines: string): string {
  const [, major, minor] = /^>=(\d+)\.(\d+)$/.exec(engines) ?? [];
  if (major === undefined || minor === undefined) throw new Error(`engines.node: ${engines} is not >=major.minor`);
  return `#!/usr/bin/env node
import module from "node:module";
const [major, minor] = process.versions.node.split(".").map(Number);
if (major > ${major} || (major === ${major} && minor >= ${minor})) {
  module.enableCompileCache();
  await import("./main.js");
} else {
  console.error(\`longhaul: Node \${process.versions.node} is too old: Longhaul needs ${major}.${minor} or newer; upgrade Node, then try again\`);
  process.exitCode = 1;
}
`;
}

import { existsSync, mkdirSync, readdirSync, readFileSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";

/** Copies a README, and the folder `docs` where there is one, without links to what stays in the repository. */
export function copyPages({ readme, docs }: { readonly readme: string; readonly docs?: string }, to: string): void {
  const pages = docs === undefined ? [] : pagesIn(docs).map((path) => [join(docs, path), join("docs", path)] as const);
  const all = [[readme, "README.md"] as const, ...pages];
  const published = new Set(all.map(([, path]) => path));
  for (const [source, path] of all) {
    const isThere = (link: string) =>
      published.has(join(dirname(path), link)) || existsSync(join(to, dirname(path), link));
    mkdirSync(dirname(join(to, path)), { recursive: true });
    writeFileSync(join(to, path), withoutLostLinks(readFileSync(source, "utf8"), isThere));
  }
}

/** Links to files that are not there leave their words behind; pictures that are not there leave nothing. */
export function withoutLostLinks(page: string, isThere: (path: string) => boolean): string {
  return page.replaceAll(/!?\[([^\]]+)\]\(([^)\s]+)\)/g, (link, words: string, target: string) => {
    const [path = ""] = target.split("#");
    if (path === "" || /^[a-z]+:/.test(path) || isThere(path)) return link;
    return link.startsWith("!") ? "" : words;
  });
}

/** The pages of a folder of docs. Why things are as they are is for those who change them. */
export function pagesIn(docs: string): string[] {
  const paths = readdirSync(docs, { recursive: true, encoding: "utf8" });
  return paths.filter((path) => path.endsWith(".md") && !path.startsWith("decisions"));
}

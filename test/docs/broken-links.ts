import { posix } from "node:path";
import { headingAnchor } from "../../scripts/heading-anchor.ts";
import type { TextFile } from "../architecture/source-file.ts";

/** Relative links in Markdown that lead nowhere. `paths` are the files and folders that exist. */
export function brokenLinks(pages: readonly TextFile[], paths: ReadonlySet<string>): string[] {
  return pages.flatMap((page) =>
    linksIn(page.text)
      .filter((link) => !isThere(page, link, { pages, paths }))
      .map((link) => `${page.path} links to ${link}, which is not there`),
  );
}

interface Repository {
  readonly pages: readonly TextFile[];
  readonly paths: ReadonlySet<string>;
}

function isThere(page: TextFile, link: string, { pages, paths }: Repository): boolean {
  const [path = "", heading] = link.split("#");
  const target = path === "" ? page.path : posix.join(posix.dirname(page.path), decodeURI(path));
  if (!paths.has(target.replace(/\/$/, ""))) return false;
  const targetPage = pages.find((other) => other.path === target);
  return heading === undefined || targetPage === undefined || headingsIn(targetPage.text).includes(heading);
}

function linksIn(markdown: string): string[] {
  const links = [...withoutCode(markdown).matchAll(/\]\(([^)\s]+)(?:\s+"[^"]*")?\)|^\[[^\]]+\]:\s+(\S+)/gm)];
  return links.map((match) => match[1] ?? match[2] ?? "").filter((link) => !/^[a-z][a-z+.-]*:/i.test(link));
}

/** The anchors of a page's headings, as GitHub makes them. */
function headingsIn(markdown: string): string[] {
  return [...withoutCode(markdown).matchAll(/^#+ +(.+)$/gm)].map((match) => headingAnchor(match[1] ?? ""));
}

function withoutCode(markdown: string): string {
  return markdown.replace(/^(```|~~~)[\s\S]*?^\1/gm, "").replace(/`[^`\n]*`/g, (code) => code.replace(/[[\]()]/g, ""));
}

import { readFileSync } from "node:fs";
import { join, posix } from "node:path";
import { Marked } from "marked";
import type { Section } from "../packages/dashboard/src/docs/search.ts";
import { strings } from "../packages/dashboard/src/strings/docs.ts";
import { pagesIn, withoutBrokenLinks } from "./pack-files.ts";

/** Returns the files that the gateway serves under `/docs/`: a page for each Markdown file, and the search index. */
export function docsSite(docs: string): ReadonlyMap<string, string> {
  const paths = pagesIn(docs).sort();
  const pages = paths.map((path) => pageOf(path, readFileSync(join(docs, path), "utf8"), new Set(paths)));
  const index = JSON.stringify(pages.flatMap(sectionsOf));
  return new Map([...pages.map((page) => [page.path, frame(page)] as const), ["search-index.json", index]]);
}

interface DocsPage {
  /** Its path under `/docs/`. */
  readonly path: string;
  /** Plain text. */
  readonly title: string;
  /** HTML. */
  readonly body: string;
}

function pageOf(path: string, markdown: string, paths: ReadonlySet<string>): DocsPage {
  const text = withoutBrokenLinks(markdown, (link) => paths.has(posix.join(posix.dirname(path), link)));
  const body = withUniqueAnchors(renderer.parse(text, { async: false }));
  return { path: pathOf(path), title: plainText(/<h1[^>]*>(.*?)<\/h1>/s.exec(body)?.[1] ?? path), body };
}

/** Splits a page at its headings, for the search index. */
export function sectionsOf({ path, title, body }: DocsPage): Section[] {
  const [start = "", ...rest] = body.split(/<h([1-6]) id="([^"]*)">(.*?)<\/h[1-6]>/s);
  const sections: Section[] = [{ href: path, title, heading: "", text: plainText(start) }];
  for (let at = 0; at < rest.length; at += 4) {
    const [depth, anchor, heading = "", text = ""] = rest.slice(at, at + 4);
    const isTitle = depth === "1";
    sections.push({
      href: isTitle ? path : `${path}#${anchor}`,
      title,
      heading: isTitle ? "" : plainText(heading),
      text: plainText(text),
    });
  }
  return sections.filter(({ heading, text }) => heading !== "" || text !== "");
}

const ENTITIES: ReadonlyMap<string, string> = new Map([
  ["&lt;", "<"],
  ["&gt;", ">"],
  ["&quot;", '"'],
  ["&#39;", "'"],
  ["&amp;", "&"],
]);

function plainText(html: string): string {
  return html
    .replaceAll(/<\/?(?:a|code|del|em|strong)\b[^>]*>/g, "")
    .replaceAll(/<[^>]+>/g, " ")
    .replaceAll(/&(?:lt|gt|quot|#39|amp);/g, (entity) => ENTITIES.get(entity) ?? entity)
    .replaceAll(/\s+/g, " ")
    .trim();
}

const renderer = new Marked({
  renderer: {
    heading({ tokens, depth, text }) {
      return `<h${depth} id="${headingAnchor(text)}">${this.parser.parseInline(tokens)}</h${depth}>\n`;
    },
    // Code and tables are wider than a phone, so they scroll and must be reachable by keyboard.
    code({ text }) {
      return `<pre tabindex="0"><code>${text.replaceAll("&", "&amp;").replaceAll("<", "&lt;")}</code></pre>\n`;
    },
    table({ header, rows }) {
      const line = (cells: typeof header, tag: string) =>
        `<tr>${cells.map((cell) => cellOf(cell, tag)).join("")}</tr>\n`;
      const cellOf = ({ tokens }: (typeof header)[number], tag: string) => {
        const name = tokens.length === 0 ? "td" : tag;
        return `<${name}>${this.parser.parseInline(tokens)}</${name}>`;
      };
      const body = rows.map((row) => line(row, "td")).join("");
      return `<div class="wide" tabindex="0"><table>\n<thead>${line(header, "th")}</thead>\n<tbody>${body}</tbody>\n</table></div>\n`;
    },
  },
  walkTokens(token) {
    if (token.type === "link" && !/^[a-z]+:/.test(token.href)) token.href = hrefOf(token.href);
  },
});

function hrefOf(link: string): string {
  const [path = "", anchor] = link.split("#");
  return `${pathOf(path)}${anchor === undefined ? "" : `#${anchor}`}`;
}

/** Returns the path of a Markdown file's page. */
function pathOf(path: string): string {
  return path.replace(/README\.md$/, "index.html").replace(/\.md$/, ".html");
}

function frame({ title, body }: DocsPage): string {
  return `<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<title>${title.replaceAll("&", "&amp;").replaceAll("<", "&lt;")} · Longhaul</title>
<link rel="icon" href="/icon.svg" type="image/svg+xml">
<link rel="stylesheet" href="/docs/style.css">
<script type="module" src="/docs/search.js"></script>
</head>
<body>
<nav aria-label="${strings.nav}"><a href="/">Longhaul</a> <a href="/docs/index.html">${strings.nav}</a><div id="search"></div></nav>
<main>
${body}</main>
</body>
</html>
`;
}

/** Numbers the anchors of repeated headings. */
function withUniqueAnchors(html: string): string {
  const numbered = numberRepeats();
  return html.replaceAll(/(?<=<h[1-6] id=")[^"]*/g, numbered);
}

/** Returns a function that adds a number to an anchor that it has seen before, as GitHub does. */
export function numberRepeats(): (anchor: string) => string {
  const seen = new Map<string, number>();
  return (anchor) => {
    const count = seen.get(anchor) ?? 0;
    seen.set(anchor, count + 1);
    return count === 0 ? anchor : `${anchor}-${count}`;
  };
}

/** Returns the anchor that GitHub makes from a heading. */
export function headingAnchor(heading: string): string {
  return heading
    .toLowerCase()
    .replace(/[^\p{L}\p{N} _-]/gu, "")
    .trim()
    .replaceAll(" ", "-");
}

import { readFileSync } from "node:fs";
import { join, posix } from "node:path";
import { Marked } from "marked";
import { pagesIn, withoutLostLinks } from "./pack-files.ts";

/** The docs as pages that the gateway serves beside its dashboard, by their path under `/docs/`. */
export function docsSite(docs: string): ReadonlyMap<string, string> {
  const paths = pagesIn(docs).sort();
  const pages = paths.map(
    (path) => [path, pageOf(path, readFileSync(join(docs, path), "utf8"), new Set(paths))] as const,
  );
  return new Map(pages.map(([path, { title, body }]) => [pathOf(path), frame(title, body)]));
}

interface DocsPage {
  /** As HTML. */
  readonly title: string;
  readonly body: string;
}

function pageOf(path: string, markdown: string, paths: ReadonlySet<string>): DocsPage {
  const text = withoutLostLinks(markdown, (link) => paths.has(posix.join(posix.dirname(path), link)));
  const body = renderer.parse(text, { async: false });
  return { title: /<h1[^>]*>(.*?)<\/h1>/s.exec(body)?.[1] ?? path, body };
}

const renderer = new Marked({
  renderer: {
    heading({ tokens, depth, text }) {
      return `<h${depth} id="${headingAnchor(text)}">${this.parser.parseInline(tokens)}</h${depth}>\n`;
    },
    // Code and tables are wider than phones: whoever has only a keyboard scrolls them, too.
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

/** Where a Markdown page is on the site. */
function pathOf(path: string): string {
  return path.replace(/README\.md$/, "index.html").replace(/\.md$/, ".html");
}

function frame(title: string, body: string): string {
  const plain = title.replaceAll(/<[^>]+>/g, "");
  return `<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<title>${plain} · Longhaul</title>
<link rel="icon" href="/icon.svg" type="image/svg+xml">
<link rel="stylesheet" href="/docs/style.css">
</head>
<body>
<nav aria-label="Documentation"><a href="/">Longhaul</a> <a href="/docs/index.html">Documentation</a></nav>
<main>
${body}</main>
</body>
</html>
`;
}

/** The anchor of a heading, as GitHub makes it from its words. */
export function headingAnchor(words: string): string {
  return words
    .toLowerCase()
    .replace(/[^\p{L}\p{N} _-]/gu, "")
    .trim()
    .replaceAll(" ", "-");
}

import { posix } from "node:path";
import { fileURLToPath } from "node:url";
import { describe, expect, it } from "vitest";
import type { Section } from "../../packages/dashboard/src/docs/search.ts";
import { docsSite, sectionsOf } from "../../scripts/docs-site.ts";

const site = docsSite(fileURLToPath(new URL("../../docs", import.meta.url)));

it("has a page for every Markdown file except decisions, and an index page", () => {
  expect([...site.keys()]).toEqual(
    expect.arrayContaining(["concepts.html", "strategies/smart.html", "wire/gemini.html"]),
  );
  expect([...site.keys()].filter((path) => path.startsWith("decisions"))).toEqual([]);
  expect(site.get("index.html")).toContain('<a href="strategies/index.html">Strategies</a>');
});

it("links only to existing pages and headings, and to other sites", () => {
  const lost = [...site].flatMap(([path, page]) => {
    const links = [...page.matchAll(/href="([^"]+)"/g)].map(([, href = ""]) => href);
    const own = links.filter((href) => !/^(?:[a-z]+:|\/$|\/icon\.svg$|\/docs\/style\.css$)/.test(href));
    return own.filter((href) => !isThere(path, href)).map((href) => `${path}: ${href}`);
  });
  expect(lost).toEqual([]);
});

function isThere(from: string, href: string): boolean {
  const [path = "", anchor] = href.split("#");
  const target = path === "" ? from : posix.relative("/docs", posix.resolve("/docs", posix.dirname(from), path));
  const page = site.get(target);
  return page !== undefined && (anchor === undefined || page.includes(` id="${anchor}"`));
}

it("contains no active content except the search script", () => {
  const script = '<script type="module" src="/docs/search.js"></script>';
  for (const [path, page] of site) {
    if (path.endsWith(".html")) expect(page.replace(script, "")).not.toMatch(/<script|<img|<iframe|style=|\son\w+=/i);
  }
});

describe("the search index", () => {
  it("has the sections of every page, and links that exist", () => {
    const index = site.get("search-index.json") ?? "";
    const sections: readonly Section[] = JSON.parse(index);
    const hrefs = sections.map(({ href }) => href);
    expect(new Set(hrefs.map((href) => href.split("#")[0]))).toEqual(
      new Set([...site.keys()].filter((path) => path.endsWith(".html"))),
    );
    expect(hrefs.filter((href) => !isThere("index.html", href))).toEqual([]);
    expect(index.length).toBeLessThan(600_000);
  });

  it("splits a page at its headings into plain text", () => {
    const body =
      '<h1 id="a">The <code>a</code> page</h1>\n<p>One &amp; <em>tw</em>o.</p>\n<h2 id="b-c">B &lt;c&gt;</h2><table><tr><td>x</td><td>y</td></tr></table>';
    expect(sectionsOf({ path: "a.html", title: "The a page", body })).toEqual([
      { href: "a.html", title: "The a page", heading: "", text: "One & two." },
      { href: "a.html#b-c", title: "The a page", heading: "B <c>", text: "x y" },
    ]);
  });
});

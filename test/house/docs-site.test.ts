import { posix } from "node:path";
import { fileURLToPath } from "node:url";
import { expect, it } from "vitest";
import { docsSite } from "../../scripts/docs-site.ts";

const site = docsSite(fileURLToPath(new URL("../../docs", import.meta.url)));

it("has a page for every page of the docs, and a list of them", () => {
  expect([...site.keys()]).toEqual(
    expect.arrayContaining(["concepts.html", "strategies/smart.html", "wire/gemini.html"]),
  );
  expect([...site.keys()].filter((path) => path.startsWith("decisions"))).toEqual([]);
  expect(site.get("index.html")).toContain('<a href="strategies/index.html">Strategies</a>');
});

it("leads nowhere but to its own pages and headings, and to addresses elsewhere", () => {
  const lost = [...site].flatMap(([path, page]) => {
    const links = [...page.matchAll(/href="([^"]+)"/g)].map(([, href = ""]) => href);
    const ours = links.filter((href) => !/^(?:[a-z]+:|\/$|\/icon\.svg$|\/docs\/style\.css$)/.test(href));
    return ours.filter((href) => !isThere(path, href)).map((href) => `${path}: ${href}`);
  });
  expect(lost).toEqual([]);
});

function isThere(from: string, href: string): boolean {
  const [path = "", anchor] = href.split("#");
  const target = path === "" ? from : posix.relative("/docs", posix.resolve("/docs", posix.dirname(from), path));
  const page = site.get(target);
  return page !== undefined && (anchor === undefined || page.includes(` id="${anchor}"`));
}

it("shows text, and neither runs nor loads anything", () => {
  for (const page of site.values()) expect(page).not.toMatch(/<script|<img|<iframe|style=|\son\w+=/i);
});

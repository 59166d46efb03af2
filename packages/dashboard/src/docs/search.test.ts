import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { type Section, searchSections } from "./search.ts";

const section = (href: string, heading: string, text: string): Section => ({
  href,
  title: href.split(".")[0] ?? "",
  heading,
  text,
});

const SECTIONS = [
  section("costs.html", "", "Money is saved by the prompt cache and by condensing."),
  section("costs.html#cache", "The prompt cache", "A cache hit costs a tenth."),
  section(
    "keys.html",
    "",
    `${"Keys have limits. ".repeat(20)}Use the cache (c++) of the provider. ${"More. ".repeat(40)}`,
  ),
];
const hrefs = (query: string) => searchSections(SECTIONS, query).map(({ href }) => href);

describe("searchSections", () => {
  it("ranks a match in the heading before one in the text", () => {
    expect(hrefs("cache")).toEqual(["costs.html#cache", "costs.html", "keys.html"]);
  });

  it("ranks the start of a page first when its title matches", () => {
    expect(hrefs("costs")).toEqual(["costs.html", "costs.html#cache"]);
  });

  it("finds words by their parts, in any case", () => {
    expect(hrefs("CONDENS")).toEqual(["costs.html"]);
    expect(hrefs("ondens")).toEqual(["costs.html"]);
  });

  it("returns only sections that contain every word", () => {
    expect(hrefs("cache tenth")).toEqual(["costs.html#cache"]);
    expect(hrefs("cache missing")).toEqual([]);
  });

  it("returns nothing for a blank query", () => {
    expect(hrefs(" ")).toEqual([]);
  });

  it("returns at most three sections of a page and eight in total", () => {
    const found = (pages: number) => {
      const many = Array.from({ length: 40 }, (_, at) => section(`page${at % pages}.html`, `Heading ${at}`, "word"));
      return searchSections(many, "word").length;
    };
    expect([found(1), found(2), found(40)]).toEqual([3, 6, 8]);
  });

  it("cuts the excerpt around the first match and marks the matches", () => {
    const [found] = searchSections(SECTIONS, "c++");
    const text = found?.excerpt.map((piece) => piece.text).join("") ?? "";
    expect(text).toMatch(/^… .*\(c\+\+\) of the provider\..* …$/);
    expect(text.length).toBeLessThan(200);
    expect(found?.excerpt.filter(({ isMatch }) => isMatch)).toEqual([{ text: "c++", isMatch: true }]);
  });

  it("accepts any query", () => {
    fc.assert(fc.property(fc.string(), (query) => void searchSections(SECTIONS, query)));
  });
});

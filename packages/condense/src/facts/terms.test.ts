import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { formsOf, termsIn } from "./terms.ts";

const words = (text: string) => termsIn(text).map(({ kind, word }) => `${kind} ${word}`);

describe("termsIn", () => {
  it.each([
    ["Open https://longhaul.dev/docs?page=2.", ["url https://longhaul.dev/docs?page=2"]],
    [
      "in src/reports/filter.ts:31, ./a.tsx and /usr/local/bin",
      ["path src/reports/filter.ts", "path ./a.tsx", "path /usr/local/bin"],
    ],
    ["see package.json", ["path package.json"]],
    [
      "TS2345 and ENOENT, a TypeError with exit code 137",
      ["error TS2345", "error ENOENT", "error TypeError", "error exit code 137"],
    ],
    [
      "call filterReports or max_tokens with --dry-run",
      ["identifier filterReports", "identifier max_tokens", "identifier --dry-run"],
    ],
    ["the commit 8a5d1f3 and `npm test`", ["identifier 8a5d1f3", "identifier npm test"]],
    [
      "port 8080, version 1.24.3, at most 30 % or 250 ms",
      ["number 8080", "number 1.24.3", "number 30 %", "number 250 ms"],
    ],
    ["e.g. and/or read-only, a well-known case of 12 things", []],
  ])("finds them in %j", (text, expected) => {
    expect(words(text)).toEqual(expected);
  });

  it("ends before the test's time does, whatever a long text repeats", () => {
    const pieces = fc.constantFrom(
      "a-",
      "a.",
      "1.",
      "a/",
      "/",
      "x",
      "_",
      "`a",
      "A",
      "1,",
      "aB",
      "--a",
      "https://",
      "0f",
    );
    fc.assert(
      fc.property(pieces, pieces, (one, other) => {
        expect(termsIn(`${one}${other}`.repeat(50_000)).length).toBeLessThan(100_000);
      }),
      { numRuns: 20 },
    );
  });
});

describe("formsOf", () => {
  it("knows a path by its last name too", () => {
    expect(formsOf("src/reports/filter.ts")).toEqual(["src/reports/filter.ts", "filter.ts"]);
    expect(formsOf("filterReports")).toEqual(["filterReports"]);
    expect(formsOf("/usr/local/")).toEqual(["/usr/local/"]);
  });
});

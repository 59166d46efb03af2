import fc from "fast-check";
import { describe, expect, it } from "vitest";
import {
  formsOf,
  isConstraint,
  isCovered,
  isProse,
  sentencesOf,
  significantWords,
  termsIn,
  withoutTags,
} from "./sentences.ts";

describe("sentencesOf", () => {
  it("splits lines and sentences and removes the layout", () => {
    const text =
      "# How it went\n- The tests pass now. Is that enough? v1.2 is out for everybody.\n> **So it was said.**\nok\n";
    expect(sentencesOf(text)).toEqual([
      "How it went",
      "The tests pass now.",
      "Is that enough?",
      "v1.2 is out for everybody.",
      "So it was said.",
    ]);
  });

  it("omits code and client additions", () => {
    const text =
      "Do it like this here:\n```ts\nconst one = two + three + four;\n```\n<system-reminder>Be very quick.</system-reminder>";
    expect(sentencesOf(text)).toEqual(["Do it like this here:"]);
  });
});

describe("saysSomething", () => {
  it.each([
    ["The filter is in src/a.ts.", true],
    ["テストを変更しないでください", true],
    ["src/a.ts", false],
    ["src/a.ts src/b.ts", false],
    ["if (a[0] === b[1]) { c(d, e); }", false],
    ["| --- | --- | some | --- |", false],
  ])("%j: %s", (line, expected) => {
    expect(isProse(line)).toBe(expected);
  });
});

describe("isConstraint", () => {
  it.each([
    ["Do not touch the public API.", true],
    ["You must use pnpm.", true],
    ["don’t add dependencies", true],
    ["Only the tests may change.", true],
    ["The filter loses the last day.", false],
  ])("%j: %s", (sentence, expected) => {
    expect(isConstraint(sentence)).toBe(expected);
  });
});

describe("isTold", () => {
  const words = significantWords("The user forbids any change of the public API; the tests may be touched.");

  it("recognizes a rephrased sentence", () => {
    expect(isCovered("Do not touch the public API.", words)).toBe(true);
    expect(isCovered("Never add dependencies to package.json.", words)).toBe(false);
  });
});

describe("withoutTags", () => {
  it("removes the content of client tags, and nothing else", () => {
    const reminder = "<system-reminder>Be quick.\n<b>Now</b></system-reminder>";
    expect(withoutTags(`Fix it.${reminder} <b>Please</b>.`)).toBe("Fix it. <b>Please</b>.");
  });

  it("ignores tags that are never closed", () => {
    expect(withoutTags("Use <my-element> here.")).toBe("Use <my-element> here.");
    expect(withoutTags("</my-element> there")).toBe("</my-element> there");
  });

  it("removes the outer of two nested tags", () => {
    expect(withoutTags("a<x-y>b<x-z>c</x-z>d</x-y>e")).toBe("ae");
  });

  it("returns a text without tags unchanged", () => {
    fc.assert(
      fc.property(
        fc.string().filter((text) => !text.includes("<")),
        (text) => withoutTags(text) === text,
      ),
    );
  });
});

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
  ])("finds the terms in %j", (text, expected) => {
    expect(words(text)).toEqual(expected);
  });

  it("takes linear time for long repetitive texts", () => {
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
  it("includes the last part of a path", () => {
    expect(formsOf("src/reports/filter.ts")).toEqual(["src/reports/filter.ts", "filter.ts"]);
    expect(formsOf("filterReports")).toEqual(["filterReports"]);
    expect(formsOf("/usr/local/")).toEqual(["/usr/local/"]);
  });
});

import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { isConstraint, isTold, meaningIn, saysSomething, sentencesOf, withoutTags } from "./sentences.ts";

describe("sentencesOf", () => {
  it("splits lines and sentences and takes the layout off", () => {
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

  it("leaves code and what clients add out", () => {
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
    expect(saysSomething(line)).toBe(expected);
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
  const words = meaningIn("The user forbids any change of the public API; the tests may be touched.");

  it("finds a sentence in other words", () => {
    expect(isTold("Do not touch the public API.", words)).toBe(true);
    expect(isTold("Never add dependencies to package.json.", words)).toBe(false);
  });
});

describe("withoutTags", () => {
  it("takes out what stands in a client's tags, and nothing else", () => {
    const reminder = "<system-reminder>Be quick.\n<b>Now</b></system-reminder>";
    expect(withoutTags(`Fix it.${reminder} <b>Please</b>.`)).toBe("Fix it. <b>Please</b>.");
  });

  it("leaves tags alone that are never closed", () => {
    expect(withoutTags("Use <my-element> here.")).toBe("Use <my-element> here.");
    expect(withoutTags("</my-element> there")).toBe("</my-element> there");
  });

  it("takes out the outer of two", () => {
    expect(withoutTags("a<x-y>b<x-z>c</x-z>d</x-y>e")).toBe("ae");
  });

  it("gives a text without tags back", () => {
    fc.assert(
      fc.property(
        fc.string().filter((text) => !text.includes("<")),
        (text) => withoutTags(text) === text,
      ),
    );
  });
});

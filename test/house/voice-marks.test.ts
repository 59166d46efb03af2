import { expect, it } from "vitest";
import { findVoiceMarks } from "../../scripts/voice-marks.ts";

const found = (path: string, text: string) =>
  findVoiceMarks({ path, text }).map(({ line, kind, mark }) => `${line} ${kind}: ${mark}`);

it("finds marks in comments, test titles and strings of a source", () => {
  const text = [
    "/** What a caller gets. */",
    'const message = "the body is no JSON";',
    'it("tells nobody", () => {});',
    "it.each([1])(`stands for %i`, () => {});",
  ].join("\n");
  expect(found("a.ts", text)).toEqual([
    "1 comment: What …",
    "2 string: is no X",
    "3 title: tell, told",
    "3 title: nobody, whoever",
    "4 title: stand, stood",
  ]);
});

it("reads the prose of Markdown, without code and link addresses", () => {
  const text = ["It is to be read.", "```", "tell me", "```", "`told` and [a link](tell.md)"].join("\n");
  expect(found("a.md", text)).toEqual(["1 docs: is to be"]);
});

it("ignores names, ordinary uses and single words", () => {
  expect(found("a.ts", 'const tell = "told"; // Understands the standard; there is no longer any need.')).toEqual([]);
});

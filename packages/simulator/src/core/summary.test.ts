import { describe, expect, it } from "vitest";
import { makePrompt, makeTurn } from "../testing/make-prompt.ts";
import { asksForSummary, summarize } from "./summary.ts";
import { makeTokenizer } from "./tokens.ts";

const say = (text: string) => makePrompt({ turns: [makeTurn("user", { texts: [text] })] });

describe("asksForSummary", () => {
  it.each([
    "Summarize the conversation above.",
    "Your task is to create a detailed summary of the work so far.",
    `${"x ".repeat(5_000)}\nNow condense this, please.`,
  ])("recognises %j", (text) => {
    expect(asksForSummary(say(text))).toBe(true);
  });

  it("recognises a system prompt that begins with it", () => {
    expect(asksForSummary(makePrompt({ system: "You summarize conversations between people." }))).toBe(true);
  });

  it.each(["Fix the bug in src/a.ts", `${"x ".repeat(5_000)} a summary of things ${"y ".repeat(5_000)}`])(
    "does not see it in %j",
    (text) => {
      expect(asksForSummary(say(text))).toBe(false);
    },
  );

  it("does not see it deep inside a system prompt", () => {
    expect(asksForSummary(makePrompt({ system: `You write code. ${"x ".repeat(200)} summarize` }))).toBe(false);
  });
});

describe("summarize", () => {
  const prompt = makePrompt({
    turns: [
      makeTurn("user", { texts: ["Repair parseHeader in src/http/parse.ts, see https://example.org/spec."] }),
      makeTurn("assistant", { texts: ["The constant MAX_HEADER_BYTES in limits.ts is too small."] }),
    ],
  });
  const tokenizer = makeTokenizer(1);

  it("names paths, names and addresses", () => {
    const summary = summarize(prompt, 500, tokenizer);
    for (const fact of [
      "src/http/parse.ts",
      "limits.ts",
      "parseHeader",
      "MAX_HEADER_BYTES",
      "https://example.org/spec",
    ])
      expect(summary).toContain(fact);
  });

  it("keeps to its length", () => {
    expect(tokenizer.weigh(summarize(prompt, 20, tokenizer))).toBeLessThanOrEqual(20);
  });
});

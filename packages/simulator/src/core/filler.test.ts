import { describe, expect, it } from "vitest";
import { makePrompt, makeTurn } from "../testing/make.ts";
import { asksForSummary, exampleOf, fillerText, garbageText, summarize } from "./filler.ts";
import { makeTokenizer } from "./tokens.ts";

it("fills a number of tokens with the same sentences", () => {
  const tokenizer = makeTokenizer(1.18);
  for (const tokens of [5, 100, 5_000]) {
    const text = fillerText(tokens, tokenizer);
    expect(tokenizer.count(text)).toBeLessThanOrEqual(tokens);
    expect(tokenizer.count(text)).toBeGreaterThan(tokens * 0.8 - 2);
    expect(fillerText(tokens, tokenizer)).toBe(text);
  }
});

it("returns characters without words", () => {
  expect(garbageText()).toHaveLength(240);
  expect(garbageText()).not.toMatch(/[a-z]{4}/);
});

describe("exampleJson", () => {
  it.each([
    [{ type: "string" }, "text"],
    [{ type: "string", minLength: 6 }, "textxx"],
    [{ type: "integer", minimum: 5 }, 5],
    [{ type: ["number", "null"] }, 1],
    [{ type: "boolean" }, true],
    [{ type: "null" }, null],
    [{ enum: ["a", "b"] }, "a"],
    [{ const: 0 }, 0],
    [{ type: "array", items: { type: "string" }, minItems: 2 }, ["text", "text"]],
    [{ anyOf: [{ type: "integer" }, { type: "string" }] }, 1],
    [{ type: "OBJECT", properties: { a: { type: "STRING" }, b: { type: "INTEGER" } }, required: ["b"] }, { b: 1 }],
    [{ properties: { a: { type: "string" } } }, { a: "text" }],
    ["no schema", {}],
  ])("makes an example of %j", (schema, example) => {
    expect(exampleOf(schema)).toEqual(example);
  });

  it("terminates for a recursive schema", () => {
    const node: Record<string, unknown> = { type: "object" };
    node.properties = { next: node };
    expect(JSON.stringify(exampleOf(node)).length).toBeLessThan(200);
  });
});

const say = (text: string) => makePrompt({ turns: [makeTurn("user", { texts: [text] })] });

describe("asksForSummary", () => {
  it.each([
    "Summarize the conversation above.",
    "Your task is to create a detailed summary of the work so far.",
    `${"x ".repeat(5_000)}\nNow condense this, please.`,
  ])("recognises %j", (text) => {
    expect(asksForSummary(say(text))).toBe(true);
  });

  it("recognizes a system prompt that begins with it", () => {
    expect(asksForSummary(makePrompt({ system: "You summarize conversations between people." }))).toBe(true);
  });

  it.each(["Fix the bug in src/a.ts", `${"x ".repeat(5_000)} a summary of things ${"y ".repeat(5_000)}`])(
    "does not see it in %j",
    (text) => {
      expect(asksForSummary(say(text))).toBe(false);
    },
  );

  it("ignores it deep inside a system prompt", () => {
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

  it("includes paths, names and addresses", () => {
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
    expect(tokenizer.count(summarize(prompt, 20, tokenizer))).toBeLessThanOrEqual(20);
  });
});

import {
  makeCompaction,
  makeDocument,
  makeImage,
  makeOpaque,
  makeRedactedThinking,
  makeText,
  makeThinking,
  makeTool,
  makeToolCall,
  makeToolResult,
} from "@longhaul/conversation/testing";
import { describe, expect, it } from "vitest";
import { encryptedTextTokens, type MeasureRules, measureBlock, measureTool, toolContent } from "./measure.ts";
import { TOKENIZER_FAMILIES } from "./tokenizer-families.ts";

/** One token per character, so that sizes are easy to see. */
const countText = (text: string) => text.length;
const CLAUDE: MeasureRules = { family: TOKENIZER_FAMILIES.claude, countText };
const GPT: MeasureRules = { family: TOKENIZER_FAMILIES.o200k, countText };
const { overhead } = TOKENIZER_FAMILIES.claude;

it("measures text by its encoding", () => {
  expect(measureBlock(makeText("hello"), CLAUDE)).toEqual({ text: 5, fixed: 0 });
});

describe("a tool call", () => {
  const call = makeToolCall("call_1", { name: "edit", input: { path: "a.ts", find: '"x"\n', lines: [1, 2] } });

  it("is measured by its name and individual arguments on Claude", () => {
    const text = "edit".length + "a.ts".length + '"x"\n'.length + "[1,2]".length;
    expect(measureBlock(call, CLAUDE)).toEqual({ text, fixed: overhead.toolCall + 3 * (overhead.parameter ?? 0) });
  });

  it("is measured by its name and JSON arguments elsewhere", () => {
    const text = "edit".length + JSON.stringify(call.input).length;
    expect(measureBlock(call, GPT)).toEqual({ text, fixed: GPT.family.overhead.toolCall });
  });

  it("may have a text as input", () => {
    expect(measureBlock({ ...call, input: "free text" }, CLAUDE)).toEqual({ text: 13, fixed: overhead.toolCall });
  });
});

it("measures a tool result by all of its content", () => {
  const result = makeToolResult("call_1", [makeText("abc"), makeImage(), makeText("de")]);
  expect(measureBlock(result, CLAUDE)).toEqual({ text: 5, fixed: overhead.toolResult + 1 });
});

it("measures an image by its pixels, otherwise by the family's bound", () => {
  expect(measureBlock(makeImage(), CLAUDE)).toEqual({ text: 0, fixed: 1 });
  const far = makeImage({ source: { kind: "url", url: "https://files.example/a.png" } });
  expect(measureBlock(far, CLAUDE)).toEqual({ text: 0, fixed: 1_568 });
});

it("measures a document by its text or pages, including its heading", () => {
  expect(measureBlock(makeDocument("words", { title: "Plan", context: "why" }), CLAUDE)).toEqual({
    text: 12,
    fixed: 0,
  });
  const plain = {
    kind: "base64",
    mediaType: "text/plain",
    data: Buffer.from("x".repeat(400)).toString("base64"),
  } as const;
  expect(measureBlock(makeDocument("", { source: plain }), CLAUDE).text).toBeCloseTo(100, -1);
  const pdf = {
    kind: "base64",
    mediaType: "application/pdf",
    data: Buffer.from("/Count 3 ".padEnd(100)).toString("base64"),
  } as const;
  expect(measureBlock(makeDocument("", { source: pdf }), CLAUDE)).toEqual({ text: 0, fixed: 3 * 2_300 });
});

it("measures thinking by its text or its encrypted form, whichever is larger", () => {
  const shown = measureBlock(makeThinking("x".repeat(900), "x".repeat(300)), CLAUDE);
  const sealed = measureBlock(makeThinking("", "x".repeat(4_920)), CLAUDE);
  expect([shown.text, sealed.text]).toEqual([900, 764]);
  expect(measureBlock(makeRedactedThinking("x".repeat(4_920)), CLAUDE)).toEqual(sealed);
});

it("measures a compaction by its text, or by its encrypted form", () => {
  expect(measureBlock(makeCompaction("summary"), CLAUDE).text).toBe(7);
  expect(measureBlock({ ...makeCompaction(null), encrypted: "x".repeat(4_920) }, CLAUDE).text).toBe(764);
  expect(measureBlock(makeCompaction(null), CLAUDE).text).toBe(0);
});

it("measures an unknown block by its JSON", () => {
  const block = makeOpaque("hologram", { depth: 3 });
  expect(measureBlock(block, CLAUDE).text).toBe(JSON.stringify(block.native.value).length);
});

it("measures a tool by name, description and schema", () => {
  const tool = makeTool("read_file", ["path"]);
  expect(measureTool(tool, CLAUDE)).toEqual({ text: JSON.stringify(toolContent(tool)).length, fixed: overhead.tool });
  expect(toolContent({ name: "web", kind: "server" })).toEqual({ name: "web", description: "", parameters: {} });
});

describe("encryptedTextTokens", () => {
  it("returns 0 for empty encrypted reasoning", () => {
    expect(["", "c2lnbmF0dXJl", "x".repeat(240)].map(encryptedTextTokens)).toEqual([0, 0, 0]);
  });

  it.each([
    [1_564, 256],
    [3_144, 685],
    [10_632, 2_014],
  ])("is within a quarter of the charge for a signature of %i characters", (characters, charged) => {
    const tokens = 1.2 * encryptedTextTokens("x".repeat(characters));
    expect(tokens / charged).toBeGreaterThan(0.75);
    expect(tokens / charged).toBeLessThan(1.25);
  });
});

import { createHash } from "node:crypto";
import fc from "fast-check";
import { get_encoding, type TiktokenEncoding } from "tiktoken";
import cl100k from "tiktoken/encoders/cl100k_base.json" with { type: "json" };
import o200k from "tiktoken/encoders/o200k_base.json" with { type: "json" };
import { describe, expect, it } from "vitest";
import { anyUnicode } from "../testing/any-unicode.ts";
import { SAMPLE_TEXTS } from "../testing/sample-texts.ts";
import { type EncodingName, loadTextCounter } from "./encodings.ts";

const ORACLES = [
  ["o200k", "o200k_base"],
  ["cl100k", "cl100k_base"],
] as const satisfies readonly (readonly [EncodingName, TiktokenEncoding])[];

/** Every character takes half a minute, most of it tiktoken's. */
const STRIDE = 61;

describe.each(ORACLES)("%s", async (name, oracleName) => {
  const countText = await loadTextCounter(name);
  const oracle = get_encoding(oracleName);
  const oracleCount = (text: string) => oracle.encode(text, [], []).length;

  it.each(Object.entries(SAMPLE_TEXTS))("counts %s as tiktoken does", (_kind, text) => {
    expect(countText(text)).toBe(oracleCount(text));
  });

  it("counts any text as tiktoken does", () => {
    fc.assert(
      fc.property(anyUnicode(), (text) => {
        expect(countText(text)).toBe(oracleCount(text));
      }),
      { numRuns: 500 },
    );
  });

  it("counts every character as tiktoken does, beside letters, digits, capitals and line breaks", () => {
    const wrong: string[] = [];
    for (let code = 0; code < 0x30000; code += code < 0x100 ? 1 : STRIDE) {
      const character = String.fromCodePoint(code);
      const text = `a${character}b ${character}1${character}A\n ${character}`;
      if (countText(text) !== oracleCount(text)) wrong.push(code.toString(16));
    }
    expect(wrong).toEqual([]);
  });

  it("counts texts of special tokens as plain text", () => {
    expect(countText("<|endoftext|>")).toBe(oracleCount("<|endoftext|>"));
    expect(countText("<|endoftext|>")).toBeGreaterThan(1);
  });

  it("counts the same text again the same, after others", () => {
    const texts = Object.values(SAMPLE_TEXTS);
    const first = texts.map(countText);
    expect(texts.map(countText)).toEqual(first);
  });
});

/** With the SHA-256 of the files that OpenAI publishes, from tiktoken's openai_public.py. */
const PUBLISHED = [
  ["o200k", o200k.bpe_ranks, "446a9538cb6c348e3516120d7c08b09f57c36495e2acfffe59a5bf8b0cfb1a2d"],
  ["cl100k", cl100k.bpe_ranks, "223921b76ee99bde995b7ff738513eef100fb51d18c93597a113bcffe865b2a7"],
] as const;

it.each(PUBLISHED)("has the vocabulary of %s as it is published", (_name, ranks, published) => {
  const [mark, firstRank, ...tokens] = ranks.split(" ");
  const file = tokens.map((token, rank) => `${token} ${rank}\n`).join("");
  expect([mark, firstRank]).toEqual(["!", "0"]);
  expect(createHash("sha256").update(file).digest("hex")).toBe(published);
});

/** What is not linear takes minutes. The bound is wide because coverage slows the counter by ten times, and a busy machine again. */
const MAX_MS = 20_000;
const BASE64 = createHash("sha512").update("longhaul").digest("base64").replaceAll("=", "");

describe("texts without breaks", async () => {
  const countText = await loadTextCounter("o200k");

  it.each([
    ["a megabyte of one letter", 1e6, "a"],
    ["a megabyte of spaces", 1e6, " "],
    ["a megabyte of base64", 1e6, BASE64],
    ["a megabyte of CJK", 1e6, "请修复这个测试然后告诉我结果"],
    ["a megabyte of emoji", 1e6, "😀"],
    ["capitals", 1e5, "A"],
    ["line breaks", 1e5, "\n"],
    ["one sign", 1e5, "="],
    ["one digit", 1e5, "7"],
    ["small letters", 1e5, BASE64.replaceAll(/[^a-z]/g, "")],
    ["marks", 1e5, "\u0301"],
    ["capitals between marks", 1e5, "\u0301AA"],
    ["lone surrogates", 1e5, "\ud83d"],
  ])(
    "are counted in a moment: %s",
    (_kind, bytes, unit) => {
      const text = unit.repeat(Math.ceil(bytes / Buffer.byteLength(unit)));
      const start = performance.now();
      const tokens = countText(text);
      expect(performance.now() - start).toBeLessThan(MAX_MS);
      expect(tokens).toBeGreaterThan(bytes / 200);
    },
    2 * MAX_MS,
  );
});

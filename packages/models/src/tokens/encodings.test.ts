import { execFileSync } from "node:child_process";
import { createHash } from "node:crypto";
import { fileURLToPath } from "node:url";
import fc from "fast-check";
import { get_encoding, type TiktokenEncoding } from "tiktoken";
import cl100k from "tiktoken/encoders/cl100k_base.json" with { type: "json" };
import o200k from "tiktoken/encoders/o200k_base.json" with { type: "json" };
import { describe, expect, it } from "vitest";
import { anyUnicode, SAMPLE_TEXTS } from "../testing/any-unicode.ts";
import { type EncodingName, loadTextCounter } from "./encodings.ts";

const ORACLES = [
  ["o200k", "o200k_base"],
  ["cl100k", "cl100k_base"],
] as const satisfies readonly (readonly [EncodingName, TiktokenEncoding])[];

/** All characters take half a minute, most of it in tiktoken. */
const STRIDE = 61;

describe.each(ORACLES)("%s", async (name, oracleName) => {
  const countText = await loadTextCounter(name);
  const oracle = get_encoding(oracleName);
  const oracleCount = (text: string) => oracle.encode(text, [], []).length;

  it.each(Object.entries(SAMPLE_TEXTS))("counts %s like tiktoken", (_kind, text) => {
    expect(countText(text)).toBe(oracleCount(text));
  });

  it("counts any text like tiktoken", () => {
    fc.assert(
      fc.property(anyUnicode(), (text) => {
        expect(countText(text)).toBe(oracleCount(text));
      }),
      { numRuns: 500 },
    );
  });

  it("counts every character like tiktoken, next to letters, digits, uppercase letters and line breaks", () => {
    const wrong: string[] = [];
    for (let code = 0; code < 0x30000; code += code < 0x100 ? 1 : STRIDE) {
      const character = String.fromCodePoint(code);
      const text = `a${character}b ${character}1${character}A\n ${character}`;
      if (countText(text) !== oracleCount(text)) wrong.push(code.toString(16));
    }
    expect(wrong).toEqual([]);
  });

  it("counts special tokens as plain text", () => {
    expect(countText("<|endoftext|>")).toBe(oracleCount("<|endoftext|>"));
    expect(countText("<|endoftext|>")).toBeGreaterThan(1);
  });

  it("counts the same text the same again, after others", () => {
    const texts = Object.values(SAMPLE_TEXTS);
    const first = texts.map(countText);
    expect(texts.map(countText)).toEqual(first);
  });
});

/** SHA-256 of the files that OpenAI publishes, from tiktoken's openai_public.py. */
const PUBLISHED = [
  ["o200k", o200k.bpe_ranks, "446a9538cb6c348e3516120d7c08b09f57c36495e2acfffe59a5bf8b0cfb1a2d"],
  ["cl100k", cl100k.bpe_ranks, "223921b76ee99bde995b7ff738513eef100fb51d18c93597a113bcffe865b2a7"],
] as const;

it.each(PUBLISHED)("has the published vocabulary of %s", (_name, ranks, published) => {
  const [mark, firstRank, ...tokens] = ranks.split(" ");
  const file = tokens.map((token, rank) => `${token} ${rank}\n`).join("");
  expect([mark, firstRank]).toEqual(["!", "0"]);
  expect(createHash("sha256").update(file).digest("hex")).toBe(published);
});

it("counts a megabyte without breaks in well under a second, whatever its content", () => {
  const program = fileURLToPath(new URL("../testing/time-unbroken-texts.ts", import.meta.url));
  const printed = execFileSync(process.execPath, [program], { encoding: "utf8", timeout: GIVE_UP_MS });
  const { bytes, timed }: UnbrokenTimes = JSON.parse(printed);
  expect(timed).toHaveLength(13);
  expect(timed.filter(({ ms }) => ms > MAX_MS)).toEqual([]);
  expect(timed.filter(({ tokens }) => tokens < bytes / 200)).toEqual([]);
});

/** Processor time: three times that of the slowest on an idle machine. */
const MAX_MS = 900;
/** A non-linear algorithm takes minutes of processor time, and a busy machine gives the program a tenth of it. */
const GIVE_UP_MS = 110_000;

interface UnbrokenTimes {
  readonly bytes: number;
  readonly timed: readonly { readonly kind: string; readonly tokens: number; readonly ms: number }[];
}

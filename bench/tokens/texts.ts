import { readdirSync, readFileSync } from "node:fs";
import { pick, pickOften, type Random, seededRandom } from "./random.ts";

/** Makes a text of about `characters`; another `seed` makes another text of the same kind. */
export type TextMaker = (characters: number, seed: number) => string;

/** The kinds of text that agents send. */
export const TEXT_MAKERS = {
  prose: (characters, seed) => fill(characters, seed, sentence),
  code: (characters, seed) => slice(sources(), characters, seed),
  JSON: (characters, seed) => fill(characters, seed, record),
  base64: (characters, seed) => fill(characters, seed, (random) => pick([...BASE64], random)),
  CJK: (characters, seed) => fill(characters, seed, cjkCharacter),
} as const satisfies Record<string, TextMaker>;

function fill(characters: number, seed: number, part: (random: Random) => string): string {
  const random = seededRandom(seed);
  const parts: string[] = [];
  for (let length = 0; length < characters; length += parts.at(-1)?.length ?? 1) parts.push(part(random));
  return parts.join("");
}

const STEMS =
  `the of and to in is that it was for on are as with at be this have from or had by but not what all were when we there can an
  your which their said if do will each about how up out them then she many some so these would other into has more her two like him see
  time could no make than first been its who now people my made over did down only way find use may water long little very after words
  called just where most know build fail cache token request stream window model server context summary message result tool file edit
  parse encode retry limit budget prompt answer session gateway upstream measure count calibrate reproduce refactor configure`.split(
    /\s+/,
  );
const ENDINGS = ["", "", "", "", "s", "ed", "ing", "er", "ly", "ness", "ation", "able", "n't", "'s", "'ll"];

function sentence(random: Random): string {
  const words = Array.from(
    { length: 6 + Math.floor(12 * random()) },
    () => pickOften(STEMS, random) + pick(ENDINGS, random),
  );
  const text = words.join(" ");
  const end = pick([". ", ". ", "? ", ", and ", ".\n\n"], random);
  return text[0]!.toUpperCase() + text.slice(1) + end;
}

function record(random: Random): string {
  const value = {
    id: `req_${Math.floor(1e12 * random()).toString(36)}`,
    status: pick(["ok", "failed", "pending"], random),
    durationMs: Math.floor(10_000 * random()),
    ratio: random(),
    path: `/src/${pickOften(STEMS, random)}/${pickOften(STEMS, random)}-${pickOften(STEMS, random)}.ts`,
    tags: [pickOften(STEMS, random), pickOften(STEMS, random)],
    next: random() < 0.5 ? null : { page: Math.floor(100 * random()), isLast: random() < 0.1 },
  };
  return `${JSON.stringify(value, null, random() < 0.5 ? 2 : 0)}\n`;
}

const BASE64 = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/";
const FIRST_IDEOGRAPH = 0x4e00;
const COMMON_IDEOGRAPHS = 3_000;

function cjkCharacter(random: Random): string {
  if (random() < 0.08) return pick(["，", "。", "、", "「", "」", "\n"], random);
  return String.fromCharCode(FIRST_IDEOGRAPH + Math.floor(COMMON_IDEOGRAPHS * random() * random()));
}

/** The repository's own sources. */
function sources(): string {
  const root = new URL("../../packages/", import.meta.url);
  const paths = readdirSync(root, { recursive: true, encoding: "utf8" });
  const own = paths.filter((path) => /^[^/]+\/src\/.*\.ts$/.test(path)).sort();
  return own.map((path) => readFileSync(new URL(path, root), "utf8")).join("\n");
}

function slice(text: string, characters: number, seed: number): string {
  const room = Math.max(1, text.length - characters);
  const from = (seed * characters) % room;
  return text.slice(from, from + characters);
}

import { loadTextCounter, type TextCounter } from "@longhaul/models/advanced";
import { get_encoding } from "tiktoken";
import { printTable, quantile, timeMs } from "./table.ts";
import { TEXT_MAKERS, type TextMaker } from "./texts.ts";

const CHARACTERS = 500_000;
const ROUNDS = 7;

const ENCODINGS = [
  ["o200k", "o200k_base"],
  ["cl100k", "cl100k_base"],
] as const;

/** Compares our counter with tiktoken on texts of each kind, alternating. */
export async function printThroughput(): Promise<void> {
  const rows: string[][] = [];
  for (const [name, oracleName] of ENCODINGS) {
    const oracle = get_encoding(oracleName);
    const counters = {
      ours: await loadTextCounter(name),
      theirs: (text: string) => oracle.encode(text, [], []).length,
    };
    for (const [kind, makeText] of Object.entries(TEXT_MAKERS)) {
      rows.push([`${name} ${kind}`, ...compare(counters, makeText)]);
    }
    oracle.free();
  }
  printTable(
    `Throughput in MB per CPU second: medians of ${ROUNDS} interleaved rounds, each with a new text of ${CHARACTERS / 1000}K characters`,
    ["text", "ours", "tiktoken", "faster", "equal counts"],
    rows,
  );
}

interface Counters {
  readonly ours: TextCounter;
  readonly theirs: TextCounter;
}

/** Uses a new text in every round, so that caches do not help. An extra first round warms up both. */
function compare(counters: Counters, makeText: TextMaker): string[] {
  const [, ...rounds] = Array.from({ length: ROUNDS + 1 }, (_, round) =>
    measure(counters, makeText(CHARACTERS, round)),
  );
  const factor = quantile(rounds.map(({ ours, theirs }) => ours / theirs));
  return [
    quantile(rounds.map(({ ours }) => ours)).toFixed(1),
    quantile(rounds.map(({ theirs }) => theirs)).toFixed(1),
    `${factor.toFixed(1)} ×`,
    rounds.every(({ isEqual }) => isEqual) ? "yes" : "NO",
  ];
}

function measure({ ours, theirs }: Counters, text: string) {
  const kilobytes = Buffer.byteLength(text) / 1000;
  const tokens: number[] = [];
  const ourMs = timeMs(() => tokens.push(ours(text)));
  const theirMs = timeMs(() => tokens.push(theirs(text)));
  return { ours: kilobytes / ourMs, theirs: kilobytes / theirMs, isEqual: tokens[0] === tokens[1] };
}

const MEGABYTE = 1e6;
/** The most that tiktoken can count in reasonable time. */
const ORACLE_BYTES = 10_000;
const UNBROKEN_ROUNDS = 5;

const UNITS: Readonly<Record<string, string>> = {
  "one letter": "a",
  spaces: " ",
  "line breaks": "\n",
  "one punctuation mark": "=",
  base64: TEXT_MAKERS.base64(100_000, 1),
  "one CJK character": "的",
  "CJK without punctuation": TEXT_MAKERS.CJK(100_000, 1).replaceAll(/\P{Lo}/gu, ""),
  emoji: "😀",
};

/** Counts a megabyte of texts without breaks, for which other counters take quadratic time. */
export async function printPathological(): Promise<void> {
  const countText = await loadTextCounter("o200k");
  const oracle = get_encoding("o200k_base");
  const rows = Object.entries(UNITS).map(([kind, unit]) => {
    const text = repeatTo(unit, MEGABYTE);
    const short = repeatTo(unit, ORACLE_BYTES);
    const ours = Array.from({ length: UNBROKEN_ROUNDS }, () => timeMs(() => countText(text)));
    const theirs = timeMs(() => oracle.encode(short, [], []));
    const isEqual = countText(short) === oracle.encode(short, [], []).length;
    return [kind, quantile(ours).toFixed(0), Math.max(...ours).toFixed(0), theirs.toFixed(0), isEqual ? "yes" : "NO"];
  });
  oracle.free();
  printTable(
    "Texts without breaks, o200k, CPU milliseconds",
    ["text", "1 MB, median", "1 MB, worst", "tiktoken, 10 KB", "equal counts"],
    rows,
  );
}

function repeatTo(unit: string, bytes: number): string {
  const times = bytes / Buffer.byteLength(unit);
  return times >= 1 ? unit.repeat(Math.ceil(times)) : unit.slice(0, Math.floor(unit.length * times));
}

import { loadTextCounter, type TextCounter } from "@longhaul/models";
import { get_encoding } from "tiktoken";
import { printTable, quantile, timeMs } from "./table.ts";
import { TEXT_MAKERS, type TextMaker } from "./texts.ts";

const CHARACTERS = 500_000;
const ROUNDS = 7;

const ENCODINGS = [
  ["o200k", "o200k_base"],
  ["cl100k", "cl100k_base"],
] as const;

/** Counts texts of each kind with our counter and with tiktoken in turn. */
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
    `Throughput in MB for a second of processor time: medians of ${ROUNDS} rounds in turn, each with a new text of ${CHARACTERS / 1000}K characters`,
    ["text", "ours", "tiktoken", "faster", "equal counts"],
    rows,
  );
}

interface Counters {
  readonly ours: TextCounter;
  readonly theirs: TextCounter;
}

/** Every round has a new text, so that nothing remembers it. The round before the first warms both up. */
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

import { loadTextCounter } from "@longhaul/models";
import { get_encoding } from "tiktoken";
import { printTable, quantile, timeMs } from "./table.ts";
import { TEXT_MAKERS } from "./texts.ts";

const MEGABYTE = 1e6;
/** What tiktoken can count in a time worth waiting for. */
const ORACLE_BYTES = 10_000;
const ROUNDS = 5;

const UNITS: Readonly<Record<string, string>> = {
  "one letter": "a",
  spaces: " ",
  "line breaks": "\n",
  "one sign": "=",
  base64: TEXT_MAKERS.base64(100_000, 1),
  "one CJK character": "的",
  "CJK without punctuation": TEXT_MAKERS.CJK(100_000, 1).replaceAll(/\P{Lo}/gu, ""),
  emoji: "😀",
};

/** Counts a megabyte of texts without breaks, on which other counters take time with the square of the length. */
export async function printPathological(): Promise<void> {
  const countText = await loadTextCounter("o200k");
  const oracle = get_encoding("o200k_base");
  const rows = Object.entries(UNITS).map(([kind, unit]) => {
    const text = repeatTo(unit, MEGABYTE);
    const short = repeatTo(unit, ORACLE_BYTES);
    const ours = Array.from({ length: ROUNDS }, () => timeMs(() => countText(text)));
    const theirs = timeMs(() => oracle.encode(short, [], []));
    const isEqual = countText(short) === oracle.encode(short, [], []).length;
    return [kind, quantile(ours).toFixed(0), Math.max(...ours).toFixed(0), theirs.toFixed(0), isEqual ? "yes" : "NO"];
  });
  oracle.free();
  printTable(
    "Texts without breaks, o200k, milliseconds of processor time",
    ["text", "1 MB, median", "1 MB, worst", "tiktoken, 10 KB", "equal counts"],
    rows,
  );
}

function repeatTo(unit: string, bytes: number): string {
  const times = bytes / Buffer.byteLength(unit);
  return times >= 1 ? unit.repeat(Math.ceil(times)) : unit.slice(0, Math.floor(unit.length * times));
}

import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { STRATEGIES } from "@longhaul/condense";
import { percent, printTable } from "../tokens/table.ts";
import { makeSession } from "./generate.ts";
import { type Measurement, measureApart } from "./measure.ts";

const SIZES = [10_000, 100_000, 200_000, 1_000_000];

/** Less heap than this is not told from the runtime's own. */
const LEAST_BYTES = 400_000;

const EXPLANATION = `
Each conversation is condensed to half of its tokens, in a process of its own; summaries are made without a model. The conversation was
counted before, as in the gateway; "count" is what that takes, and "counting" what of the time goes into counting what changed. "×" is the
growth of the time against the growth of the conversation: 1 is linear. Times are processor time. "memory" is the most heap that was alive at
any point while condensing, over what was alive before, as a multiple of "own", the heap that the parsed conversation takes; the shortest
conversation takes too little to tell.`;

/** Times and memory of every strategy on generated conversations. */
export async function printSpeed(): Promise<void> {
  const folder = mkdtempSync(join(tmpdir(), "bench-condense-"));
  try {
    const files = SIZES.map((tokens) => {
      const file = join(folder, `${tokens}.json`);
      writeFileSync(file, JSON.stringify(makeSession(tokens)));
      return file;
    });
    for (const { id } of STRATEGIES) await printStrategy(id, files);
    console.log(EXPLANATION);
  } finally {
    rmSync(folder, { recursive: true });
  }
}

async function printStrategy(strategy: string, files: readonly string[]): Promise<void> {
  const measured: Measurement[] = [];
  for (const file of files) {
    process.stderr.write(`\r\u001b[K${strategy}, conversation ${measured.length + 1} of ${files.length}`);
    measured.push(await measureApart(file, strategy));
  }
  process.stderr.write("\r\u001b[K");
  printTable(
    strategy,
    ["tokens", "messages", "after", "count ms", "condense ms", "counting", "×", "estimate ms", "own MB", "memory"],
    measured.map((now, index) => rowOf(now, measured[index - 1])),
  );
}

function rowOf(now: Measurement, before: Measurement | undefined): string[] {
  return [
    String(now.tokens),
    String(now.messages),
    percent(now.tokensAfter / now.tokens),
    now.countMs.toFixed(1),
    now.condenseMs.toFixed(1),
    percent(now.countingShare),
    growth(now, before),
    now.estimateMs.toFixed(1),
    ...(now.ownBytes < LEAST_BYTES ? ["", ""] : spellMemory(now)),
  ];
}

function growth(now: Measurement, before: Measurement | undefined): string {
  if (before === undefined || before.condenseMs < LEAST_MS) return "";
  return (now.condenseMs / before.condenseMs / (now.tokens / before.tokens)).toFixed(2);
}

/** The clock ticks about once in a millisecond. */
const LEAST_MS = 2;

function spellMemory({ ownBytes, peakBytes }: Measurement): string[] {
  return [(ownBytes / 1e6).toFixed(2), `${(peakBytes / ownBytes).toFixed(2)}×`];
}

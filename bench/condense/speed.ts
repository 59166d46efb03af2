import { fork } from "node:child_process";
import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { STRATEGIES } from "@longhaul/condense";
import { percent, printTable } from "../tokens/table.ts";
import { makeSession } from "./generate.ts";

const SIZES = [10_000, 100_000, 200_000, 1_000_000];

/** Less heap than this cannot be distinguished from the runtime's own. */
const LEAST_BYTES = 400_000;

const EXPLANATION = `
Each conversation is condensed to half of its tokens in a separate process; summaries are made without a model. The conversation has been
counted before, as in the gateway: "count" is the time of that, and "counting" the share of the time spent on counting changes. "×" is the growth
of the time relative to the growth of the conversation: 1 is linear. Times are CPU time. "memory" is the largest live heap while condensing,
minus the live heap before, as a multiple of "own", the heap of the parsed conversation; the shortest conversation is too small to measure.`;

/** Prints time and memory of every strategy on generated conversations. */
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
    measured.push(await measureInProcesses(file, strategy));
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
    ...(now.ownBytes < LEAST_BYTES ? ["", ""] : formatMemory(now)),
  ];
}

function growth(now: Measurement, before: Measurement | undefined): string {
  if (before === undefined || before.condenseMs < LEAST_MS) return "";
  return (now.condenseMs / before.condenseMs / (now.tokens / before.tokens)).toFixed(2);
}

/** The clock has a resolution of about one millisecond. */
const LEAST_MS = 2;

function formatMemory({ ownBytes, peakBytes }: Measurement): string[] {
  return [(ownBytes / 1e6).toFixed(2), `${(peakBytes / ownBytes).toFixed(2)}×`];
}

/** A measurement for a child process. */
export interface MeasureRequest {
  /** The conversation as JSON. */
  readonly file: string;
  readonly strategy: string;
  readonly what: "time" | "memory";
}

/** CPU time of one strategy for one conversation, in milliseconds. */
export interface Time {
  readonly tokens: number;
  readonly tokensAfter: number;
  readonly messages: number;
  /** Counting a new conversation. */
  readonly countMs: number;
  /** Condensing a counted one; the median of several runs. */
  readonly condenseMs: number;
  /** Estimating savings and cost. */
  readonly estimateMs: number;
  /** Share of condensing spent on counting changes. */
  readonly countingShare: number;
}

export interface Memory {
  /** Heap of the parsed conversation. */
  readonly ownBytes: number;
  /** Largest live heap while condensing, minus the live heap before. */
  readonly peakBytes: number;
}

type Measurement = Time & Memory;

/** Collects all garbage after every megabyte, so that the heap in use is the live heap. */
const COLLECT_OFTEN = ["--gc-global", "--min-semi-space-size=1", "--max-semi-space-size=1"];

/** Measures in separate processes, so that runs do not affect each other. */
async function measureInProcesses(file: string, strategy: string): Promise<Measurement> {
  const time = await answerTo<Time>({ file, strategy, what: "time" }, []);
  const memory = await answerTo<Memory>({ file, strategy, what: "memory" }, COLLECT_OFTEN);
  return { ...time, ...memory };
}

async function answerTo<T>(order: MeasureRequest, flags: readonly string[]): Promise<T> {
  const child = fork(new URL("measure-child.ts", import.meta.url), { execArgv: ["--expose-gc", ...flags] });
  return await new Promise((resolve, reject) => {
    child.once("message", (answer: T) => resolve(answer));
    child.once("exit", (code) =>
      reject(new Error(`measuring the ${order.what} of ${order.strategy} exited with ${code}`)),
    );
    child.once("error", reject);
    child.send(order);
  });
}

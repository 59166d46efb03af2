import { readFileSync } from "node:fs";
import { GCProfiler } from "node:v8";
import { type Condensation, condense, estimate, findStrategy } from "@longhaul/condense/advanced";
import type { Conversation } from "@longhaul/conversation";
import { makeTokenCounters, type TokenCounter } from "@longhaul/models";
import { quantile } from "../tokens/table.ts";
import { sha256 } from "./condense-to.ts";
import { makeSession } from "./generate.ts";
import type { MeasureRequest, Memory, Time } from "./speed.ts";

const ROUNDS = 5;
const WARM_UP_TOKENS = 20_000;
const WARM_UP_ROUNDS = 4;

/** A counter that adds up its own time. */
interface TimedCounter extends TokenCounter {
  milliseconds(): number;
}

function timed(counter: TokenCounter): TimedCounter {
  let spent = 0;
  let depth = 0;
  const time =
    <T>(count: (value: T) => number) =>
    (value: T): number => {
      if (depth > 0) return count(value);
      depth++;
      const startedAt = performance.now();
      const tokens = count(value);
      spent += performance.now() - startedAt;
      depth--;
      return tokens;
    };
  return {
    countText: time(counter.countText),
    countBlock: time(counter.countBlock),
    countMessage: time(counter.countMessage),
    countSystem: time(counter.countSystem),
    countTools: time(counter.countTools),
    countConversation: time(counter.countConversation),
    milliseconds: () => spent,
  };
}

function optionsFor(conversation: Conversation, counter: TokenCounter, strategy: string) {
  const budget = { windowTokens: counter.countConversation(conversation), reservedTokens: 0 };
  return { budget, counter, strategy: findStrategy(strategy), fallbacks: [], hash: sha256 };
}

async function run(conversation: Conversation, counter: TokenCounter, strategy: string): Promise<Condensation> {
  return await condense(conversation, optionsFor(conversation, counter, strategy));
}

/** Heap in use after a full collection, in bytes. */
function liveHeap(): number {
  globalThis.gc?.();
  return process.memoryUsage().heapUsed;
}

/** Returns the largest live heap at any collection while `work` runs. Every collection in this process is a full one. */
async function peakHeap(work: () => Promise<unknown>): Promise<number> {
  const profiler = new GCProfiler();
  profiler.start();
  await work();
  globalThis.gc?.();
  const collections = profiler.stop()?.statistics ?? [];
  return Math.max(...collections.map(({ afterGC }) => afterGC.heapStatistics.usedHeapSize));
}

async function measureMemory({ body, counter, strategy }: Given): Promise<Memory> {
  const before = liveHeap();
  const conversation: Conversation = JSON.parse(body);
  const ownBytes = liveHeap() - before;
  counter.countConversation(conversation);
  const counted = liveHeap();
  const peak = await peakHeap(() => run(conversation, counter, strategy));
  return { ownBytes, peakBytes: Math.max(0, peak - counted) };
}

async function measureTime({ body, counter, strategy }: Given): Promise<Time> {
  const conversation: Conversation = JSON.parse(body);
  const { milliseconds: countMs } = await cpuTime(async () => counter.countConversation(conversation));
  const rounds: { milliseconds: number; counting: number; condensed: Condensation }[] = [];
  for (let round = 0; round < ROUNDS; round++) rounds.push(await timeRun({ conversation, counter, strategy }));
  const options = optionsFor(conversation, counter, strategy);
  const estimates: number[] = [];
  for (let round = 0; round < ROUNDS; round++) {
    estimates.push((await cpuTime(async () => estimate(conversation, options))).milliseconds);
  }
  const [middle] = rounds.toSorted((a, b) => a.milliseconds - b.milliseconds).slice(Math.floor(ROUNDS / 2));
  if (middle === undefined) throw new Error("nothing was measured");
  const { tokensBefore: tokens, tokensAfter } = middle.condensed.report;
  const { length: messages } = conversation.messages;
  const times = { countMs, condenseMs: middle.milliseconds, estimateMs: quantile(estimates) };
  return { tokens, tokensAfter, messages, ...times, countingShare: middle.counting };
}

interface Round {
  readonly conversation: Conversation;
  readonly counter: TokenCounter;
  readonly strategy: string;
}

async function timeRun({ conversation, counter, strategy }: Round) {
  globalThis.gc?.();
  const clock = timed(counter);
  const startedAt = performance.now();
  const { milliseconds, result: condensed } = await cpuTime(() => run(conversation, clock, strategy));
  return { milliseconds, counting: clock.milliseconds() / (performance.now() - startedAt), condensed };
}

/** CPU time of this thread; on a busy machine it is more stable than elapsed time. */
async function cpuTime<T>(work: () => Promise<T>): Promise<{ milliseconds: number; result: T }> {
  const before = process.threadCpuUsage();
  const result = await work();
  const { user, system } = process.threadCpuUsage(before);
  return { milliseconds: (user + system) / 1000, result };
}

interface Given {
  readonly body: string;
  readonly counter: TokenCounter;
  readonly strategy: string;
}

async function measure({ file, strategy, what }: MeasureRequest): Promise<Time | Memory> {
  const counter = await makeTokenCounters({ hash: sha256 }).counterFor("claude");
  for (let round = 0; round < WARM_UP_ROUNDS; round++) await run(makeSession(WARM_UP_TOKENS, round), counter, strategy);
  const given = { body: readFileSync(file, "utf8"), counter, strategy };
  return what === "time" ? await measureTime(given) : await measureMemory(given);
}

process.once("message", async (order: MeasureRequest) => {
  process.send?.(await measure(order), () => process.disconnect());
});

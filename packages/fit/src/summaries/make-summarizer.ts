import type { Ask } from "@longhaul/condense";
import { LonghaulError, type Usage } from "@longhaul/conversation";
import { costOf, type Prices } from "@longhaul/models";
import { once } from "../threads/timing.ts";
import { candidatesFor } from "./candidates.ts";
import { openBody } from "./opened-body.ts";
import { addSpending, NOTHING_SPENT, type Spending } from "./spending.ts";
import {
  countWithPauses,
  type Summarizer,
  type SummarizerContext,
  type Writer,
  type WriterFailure,
} from "./summarizer.ts";
import type { CostParts } from "./summary-costs.ts";
import {
  counterFor,
  countingOf,
  expectedTextTokens,
  type Trial,
  type TrialContext,
  type Tried,
  trialsFor,
} from "./trials.ts";

/** A condensation may ask for many summaries; more concurrent calls would be rate-limited. */
const MAX_AT_ONCE = 4;

/** Makes a summariser for one condensation of a conversation. */
export function makeSummarizer(context: SummarizerContext): Summarizer {
  const prepared = once(() => prepare(context));
  const inQueue = makeQueue(MAX_AT_ONCE);
  const answer: Summarizer["answer"] = async (ask, signal) => {
    const startedAt = context.nowMs();
    const outcome = await tryAll(ask, prepared, signal).catch((error: unknown) => givenUp(error, context));
    const { text, writer, failures, spent } = outcome;
    const milliseconds = context.nowMs() - startedAt;
    context.note({ ...(writer && { writer }), failures, ...spent, milliseconds });
    const readsAll = writer?.kind === "model" && writer.form === "appended";
    if (text !== undefined) return { kind: "text", text, ...(readsAll && { readsAll }), ...spent };
    const why = signal.aborted ? ABORTED : (failures.at(-1)?.why ?? INTERNAL_ERROR);
    return { kind: "failed", why, ...spent };
  };
  return { answer: (ask, signal) => inQueue(() => answer(ask, signal)) };
}

const ABORTED = "it was aborted";
const INTERNAL_ERROR = "an internal error occurred";

async function prepare(context: SummarizerContext): Promise<TrialContext> {
  const { destination, sent, workers } = context;
  const counter = await counterFor(destination, context);
  const offline = (ask: Ask) => workers.answerOffline(ask, countingOf(destination, context));
  return { ...context, counter, offline, opened: sent && openBody(sent.body, sent.codec) };
}

interface Outcome {
  readonly spent: Spending;
  readonly failures: readonly WriterFailure[];
  readonly text?: string;
  readonly writer?: Writer;
}

async function tryAll(ask: Ask, prepared: () => Promise<TrialContext>, signal: AbortSignal): Promise<Outcome> {
  const context = await prepared();
  await countWithPauses(ask, context.counter);
  const trials = trialsFor(ask, context);
  const expected = expectedOf(ask, context, trials);
  context.expect?.(expected?.usd ?? 0);
  const failures: WriterFailure[] = [];
  let spent = NOTHING_SPENT;
  for (const { writer, run } of trials) {
    if (signal.aborted) break;
    const tried = await run(signal).catch((error: unknown) => failed(error, context, signal));
    spent = addSpending(spent, tried.spent);
    if ("text" in tried) {
      if (expected?.writer === writer) learn(expected, tried.spent, context);
      return { spent, failures, text: tried.text, writer };
    }
    failures.push({ writer, why: tried.why });
  }
  return { spent, failures };
}

/** An error in an estimate is logged and must not prevent the summary. */
function expectedOf(ask: Ask, context: TrialContext, trials: readonly Trial[]): Expectation | undefined {
  try {
    return expectationOf(ask, context, trials);
  } catch (error) {
    context.snapshot.log.bug(error, context.call.id);
    return undefined;
  }
}

/** An error while trying a writer is logged; the next writer is tried. */
function failed(error: unknown, { snapshot, call }: SummarizerContext, signal: AbortSignal): Tried {
  if (signal.aborted) return { why: ABORTED, spent: NOTHING_SPENT };
  if (error instanceof LonghaulError) return { why: error.message, spent: NOTHING_SPENT };
  snapshot.log.bug(error, call.id);
  return { why: INTERNAL_ERROR, spent: NOTHING_SPENT };
}

function givenUp(error: unknown, { snapshot, call }: SummarizerContext): Outcome {
  snapshot.log.bug(error, call.id);
  return { spent: NOTHING_SPENT, failures: [] };
}

export type Queue = <T>(run: () => Promise<T>) => Promise<T>;

/** Makes a queue that runs up to `maxAtOnce` jobs at once, in order. */
export function makeQueue(maxAtOnce: number): Queue {
  const waiting: (() => void)[] = [];
  let running = 0;
  return async (run) => {
    if (running >= maxAtOnce) await new Promise<void>((resolve) => void waiting.push(resolve));
    else running += 1;
    try {
      return await run();
    } finally {
      const next = waiting.shift();
      if (next === undefined) running -= 1;
      else next();
    }
  };
}

/** Estimates an ask's cost before it is sent, by the prices of the first model that may answer it and by its earlier summaries. */
export function estimateAsk(ask: Ask, context: TrialContext): number {
  return expectationOf(ask, context, trialsFor(ask, context))?.usd ?? 0;
}

interface Expectation {
  readonly writer: Extract<Writer, { readonly kind: "model" }>;
  readonly prices: Prices;
  /** Before it is corrected by earlier summaries. */
  readonly estimated: CostParts;
  /** The corrected sum. */
  readonly usd: number;
}

/** Returns the expected cost of an ask; undefined if no price is known. */
function expectationOf(ask: Ask, context: TrialContext, trials: readonly Trial[]): Expectation | undefined {
  const [first] = candidatesFor(ask, context).filter((candidate) => "destination" in candidate);
  const { destination } = first ?? {};
  const prices = destination?.match.model.prices;
  const writer = trials.map((trial) => trial.writer).find(({ kind }) => kind === "model");
  if (destination === undefined || prices === undefined || writer?.kind !== "model") return undefined;
  const { counter, sent, costs } = context;
  const warmTokens = writer.form === "appended" ? (sent?.tokens ?? 0) : 0;
  const inputTokens =
    writer.form === "appended" ? counter.countText(ask.instructions) : expectedTextTokens(ask, destination, context);
  const usage = { inputTokens, cacheReadTokens: warmTokens, cacheWriteTokens: 0, outputTokens: ask.expectedTokens };
  const estimated = partsOf(usage, prices);
  const { promptUsd, outputUsd } = costs?.correct(writer, estimated) ?? estimated;
  return { writer, prices, estimated, usd: promptUsd + outputUsd };
}

function learn({ writer, prices, estimated }: Expectation, { usage }: Spending, { costs }: TrialContext): void {
  costs?.learn(writer, estimated, partsOf(usage, prices));
}

function partsOf(usage: Usage, prices: Prices): CostParts {
  const promptUsd = costOf({ ...usage, outputTokens: 0 }, prices);
  return { promptUsd, outputUsd: costOf(usage, prices) - promptUsd };
}

import {
  type Anatomy,
  type Answer,
  type Ask,
  anatomyOf,
  answerOffline,
  type Budget,
  type Condensation,
  condenseInSteps,
  describeMisfit,
  drive,
  exactBudget,
  planBudget,
  planCondensation,
  project,
  replyOptions,
  shouldCondense,
} from "@longhaul/condense/advanced";
import { sha256 } from "@longhaul/fit";
import { type LogReading, readLog } from "@longhaul/logs";
import type { TokenCounter, TokenCounters } from "@longhaul/models";
import type { PreviewAnswer, RowsPage } from "../api/previews.ts";
import { configuredCost, describeWriters, type MeasuredAsk, measureAsk, sizeOfAsks } from "./asks.ts";
import type { Pair } from "./blocks.ts";
import { makeTrace, pairSlots } from "./pair-slots.ts";
import type { Hint, Terms } from "./protocol.ts";
import { rowsOf } from "./rows.ts";

export interface JobContext {
  readonly counters: TokenCounters;
  termsFor(hint: Hint): Promise<Terms>;
  /** Answers an ask with a model. Absent if summaries are made without model calls. */
  answer?(ask: Ask): Promise<Answer>;
}

export interface Measured {
  readonly reading: LogReading;
  readonly terms: Terms;
  readonly counter: TokenCounter;
  readonly limits: PreviewLimits;
  readonly anatomy: Anatomy;
}

export async function measure(text: string, { counters, termsFor }: JobContext): Promise<Measured> {
  const reading = readLog(text);
  const model = modelIn(reading);
  const found = await termsFor({ format: reading.format, ...(model !== undefined && { model }) });
  const terms = { ...found, plan: { ...found.plan, ...replyOptions(reading.limits) } };
  const counter = await counters.counterFor(terms.tokenizer, terms.ratio);
  const anatomy = anatomyOf(reading.conversation, counter);
  return { reading, terms, counter, limits: previewLimits(terms, anatomy.tokens), anatomy };
}

/** Returns the model of a request, or the most frequent one of a log. */
function modelIn({ model, calls }: LogReading): string | undefined {
  const counts = new Map<string, number>();
  for (const { model: name } of calls) if (name !== undefined) counts.set(name, (counts.get(name) ?? 0) + 1);
  return [...counts].sort(([, a], [, b]) => b - a)[0]?.[0] ?? model;
}

export interface Preview extends Measured {
  readonly done: Condensation;
  readonly asked: readonly MeasuredAsk[];
  readonly pairs: readonly Pair[];
  readonly anatomyAfter: Anatomy;
}

/** Condenses a conversation as the gateway would, and records the change of every block. */
export async function makePreview(text: string, context: JobContext): Promise<Preview> {
  const measured = await measure(text, context);
  const {
    reading: { conversation },
    terms,
    counter,
    limits,
  } = measured;
  const trace = makeTrace();
  const running = condenseInSteps(conversation, {
    ...planCondensation({ ...terms.plan, budget: limits }),
    counter,
    hash: sha256,
    now: () => performance.now(),
    onApplied: trace.take,
  });
  const asked: MeasuredAsk[] = [];
  const answer = context.answer ?? (async (ask: Ask) => answerOffline(ask, counter));
  const done = await drive(running, (asks) => {
    asked.push(...asks.map((ask) => measureAsk(ask, counter)));
    return Promise.all(asks.map(answer));
  });
  const pairs = pairSlots(project(conversation, done.projection, sha256), trace);
  return { ...measured, done, asked, pairs, anatomyAfter: anatomyOf(done.conversation, counter) };
}

export function previewAnswer(preview: Preview, page: RowsPage): PreviewAnswer {
  const { terms, counter, done, asked, pairs } = preview;
  const { conversation, report, fits, misfits } = done;
  const { passes, savedPerCallUsd = null, costUsd: spentUsd = 0, milliseconds = 0, warnings, ...figures } = report;
  const measured = measuredAnswer(preview);
  const tooLarge = misfits.map(describeMisfit);
  return {
    ...measured,
    ...figures,
    milliseconds,
    warnings: [...measured.warnings, ...warnings, ...tooLarge],
    messagesAfter: conversation.messages.length,
    anatomyAfter: anatomyAnswer(preview.anatomyAfter),
    fits,
    savedPerCallUsd,
    passes: passes.map(({ operations, costUsd = 0, milliseconds: took = 0, ...pass }) => {
      return { ...pass, costUsd, milliseconds: took, operations: { ...operations } };
    }),
    facts: factsAnswer(report),
    summaries: {
      asks: asked.length,
      writer: describeWriters(asked, terms),
      ...(asked[0] && { request: asked[0].excerpt }),
      ...sizeOfAsks(asked),
      estimatedUsd: configuredCost(asked, terms),
      spentUsd,
    },
    ...rowsOf({ pairs, messages: preview.reading.conversation.messages }, page, counter),
  };
}

export function measuredAnswer(measured: Measured) {
  const { reading, terms, limits } = measured;
  const { windowTokens, budgetTokens, targetTokens, triggerTokens, isAssumed } = limits;
  return {
    format: reading.format,
    messages: reading.conversation.messages.length,
    model: terms.model,
    ...(terms.upstream !== undefined && { upstream: terms.upstream }),
    limits: { windowTokens, budgetTokens, targetTokens, triggerTokens, isAssumed },
    anatomy: anatomyAnswer(measured.anatomy),
    warnings: [...reading.warnings.map(({ line, message }) => `line ${line}: ${message}`), ...terms.warnings],
  };
}

function anatomyAnswer({ tokens, parts }: Anatomy) {
  return { tokens, parts: { ...parts } };
}

function factsAnswer({ passes }: Condensation["report"]): PreviewAnswer["facts"] {
  const facts = passes.flatMap((pass) => pass.facts ?? []);
  return {
    found: facts.reduce((sum, { found }) => sum + found, 0),
    retainedBySummary: facts.reduce((sum, { retainedBySummary }) => sum + retainedBySummary, 0),
    putBack: facts.flatMap(({ putBack }) => putBack),
  };
}

export interface PreviewLimits extends Budget {
  /** Whether a smaller window was assumed so that condensing has an effect. */
  readonly isAssumed: boolean;
}

/** The assumed window of a conversation that would fit, as a share of its size. */
const ASSUMED_SHARE = 0.75;

/** Returns the requested limits, else those of the model's window, or of a smaller one if the conversation would not be condensed in it. */
export function previewLimits({ plan, size }: Pick<Terms, "plan" | "size">, tokens: number): PreviewLimits {
  const { windowTokens, budgetTokens } = size;
  if (budgetTokens !== undefined) return { ...exactBudget(budgetTokens), isAssumed: false };
  const chosen = planBudget(windowTokens === undefined ? plan : { ...plan, windowTokens });
  if (windowTokens !== undefined || shouldCondense(tokens, chosen)) return { ...chosen, isAssumed: false };
  const assumedTokens = Math.max(1, Math.ceil(tokens * ASSUMED_SHARE));
  return { ...planBudget({ ...plan, windowTokens: assumedTokens }), isAssumed: true };
}

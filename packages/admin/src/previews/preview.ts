import {
  type Anatomy,
  type Answer,
  type Ask,
  anatomyOf,
  answerOffline,
  type Budget,
  type Condensation,
  condenseInSteps,
  drive,
  exactBudget,
  planBudget,
  planCondensation,
  project,
  shouldCondense,
} from "@longhaul/condense";
import { sha256 } from "@longhaul/fit";
import { type LogReading, readLog } from "@longhaul/logs";
import type { TokenCounter, TokenCounters } from "@longhaul/models";
import type { PreviewAnswer, RowsPage } from "../api/previews.ts";
import { type AskedSummary, costAsSet, measureAsk, savedPerCall, sizeOf, writersOf } from "./asked.ts";
import type { Pair } from "./blocks.ts";
import { makeTrace, pairSlots } from "./pair-slots.ts";
import { rowsOf } from "./rows.ts";
import type { Hint, Terms } from "./terms.ts";

/** What is measured elsewhere is asked for there. */
export interface Asking {
  readonly counters: TokenCounters;
  termsFor(hint: Hint): Promise<Terms>;
  /** Has a model answer an ask. Absent where summaries are made without one. */
  answer?(ask: Ask): Promise<Answer>;
}

/** A conversation that was read, and what it is measured for. */
export interface Measured {
  readonly reading: LogReading;
  readonly terms: Terms;
  readonly counter: TokenCounter;
  readonly limits: PreviewLimits;
  readonly anatomy: Anatomy;
}

/** Reads a conversation and finds out what to measure it for. */
export async function measure(text: string, { counters, termsFor }: Asking): Promise<Measured> {
  const reading = readLog(text);
  const model = modelIn(reading);
  const terms = await termsFor({ format: reading.format, ...(model !== undefined && { model }) });
  const counter = await counters.counterFor(terms.tokenizer, terms.ratio);
  const anatomy = anatomyOf(reading.conversation, counter);
  return { reading, terms, counter, limits: previewLimits(terms, anatomy.tokens), anatomy };
}

/** The model of a request, or the one that most calls of a log went to. */
function modelIn({ model, calls }: LogReading): string | undefined {
  const counts = new Map<string, number>();
  for (const { model: name } of calls) if (name !== undefined) counts.set(name, (counts.get(name) ?? 0) + 1);
  return [...counts].sort(([, a], [, b]) => b - a)[0]?.[0] ?? model;
}

/** A conversation that was made smaller, for somebody to look at. */
export interface Previewed extends Measured {
  readonly done: Condensation;
  readonly asked: readonly AskedSummary[];
  readonly pairs: readonly Pair[];
  readonly anatomyAfter: Anatomy;
}

/** Makes a conversation smaller as it would be made, and remembers what was done to every block of it. */
export async function previewWork(text: string, asking: Asking): Promise<Previewed> {
  const measured = await measure(text, asking);
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
  const asked: AskedSummary[] = [];
  const answer = asking.answer ?? (async (ask: Ask) => answerOffline(ask, counter));
  const done = await drive(running, (asks) => {
    asked.push(...asks.map((ask) => measureAsk(ask, counter)));
    return Promise.all(asks.map(answer));
  });
  const pairs = pairSlots(project(conversation, done.projection, sha256), trace);
  return { ...measured, done, asked, pairs, anatomyAfter: anatomyOf(done.conversation, counter) };
}

/** What is told of it. */
export function tellPreview(previewed: Previewed, page: RowsPage): PreviewAnswer {
  const { terms, counter, done, asked, pairs } = previewed;
  const { conversation, report, fits, misfits } = done;
  const { passes, savedUsd: _, costUsd: spentUsd, warnings, ...figures } = report;
  const measured = tellMeasured(previewed);
  const left = misfits.map(({ what, size, limit }) => `${what}: ${size} are left, ${limit} would fit`);
  return {
    ...measured,
    ...figures,
    warnings: [...measured.warnings, ...warnings, ...left],
    messagesAfter: conversation.messages.length,
    anatomyAfter: tellAnatomy(previewed.anatomyAfter),
    fits,
    savedPerCallUsd: savedPerCall(report.tokensBefore - report.tokensAfter, terms),
    passes: passes.map(({ operations, ...pass }) => ({ ...pass, operations: { ...operations } })),
    facts: tellFacts(report),
    summaries: {
      asks: asked.length,
      writer: writersOf(asked, terms),
      ...(asked[0] && { told: asked[0].told }),
      ...sizeOf(asked),
      estimatedUsd: costAsSet(asked, terms),
      spentUsd,
    },
    rowCount: pairs.length,
    rows: rowsOf(pairs, page, counter),
  };
}

/** What was measured, and for what. */
export function tellMeasured(measured: Measured) {
  const { reading, terms, limits } = measured;
  const { windowTokens, budgetTokens, targetTokens, triggerTokens, isAssumed } = limits;
  return {
    format: reading.format,
    messages: reading.conversation.messages.length,
    model: terms.model,
    ...(terms.upstream !== undefined && { upstream: terms.upstream }),
    limits: { windowTokens, budgetTokens, targetTokens, triggerTokens, isAssumed },
    anatomy: tellAnatomy(measured.anatomy),
    warnings: [...reading.warnings.map(({ line, message }) => `line ${line}: ${message}`), ...terms.warnings],
  };
}

function tellAnatomy({ tokens, parts }: Anatomy) {
  return { tokens, parts: { ...parts } };
}

function tellFacts({ passes }: Condensation["report"]): PreviewAnswer["facts"] {
  const facts = passes.flatMap((pass) => pass.facts ?? []);
  return {
    found: facts.reduce((sum, { found }) => sum + found, 0),
    retainedBySummary: facts.reduce((sum, { retainedBySummary }) => sum + retainedBySummary, 0),
    putBack: facts.flatMap(({ putBack }) => putBack),
  };
}

/** The limits that a conversation is measured for. */
export interface PreviewLimits extends Budget {
  /** Whether the window was chosen so that there is something to see. */
  readonly isAssumed: boolean;
}

/** A conversation that would fit is shown as if its window were this share of it. */
const ASSUMED_SHARE = 0.75;

/** What is chosen, else the model's own window where the conversation has outgrown it, else one that it would have outgrown. */
export function previewLimits({ plan, size }: Pick<Terms, "plan" | "size">, tokens: number): PreviewLimits {
  const { windowTokens, budgetTokens } = size;
  if (budgetTokens !== undefined) return { ...exactBudget(budgetTokens), isAssumed: false };
  const chosen = planBudget(windowTokens === undefined ? plan : { ...plan, windowTokens });
  if (windowTokens !== undefined || shouldCondense(tokens, chosen)) return { ...chosen, isAssumed: false };
  const assumedTokens = Math.max(1, Math.ceil(tokens * ASSUMED_SHARE));
  return { ...planBudget({ ...plan, windowTokens: assumedTokens }), isAssumed: true };
}

import {
  type Answer,
  type Ask,
  describeMisfit,
  type PlanOptions,
  type Report,
  tokenMisfits,
} from "@longhaul/condense/advanced";
import { type CompactionBlock, type Conversation, LonghaulError } from "@longhaul/conversation";
import type { Epoch } from "@longhaul/store";
import { projectionOfBlock } from "../compaction/blocks.ts";
import type { Reads } from "../history/evidence.ts";
import { type Rendering, renderedTokens } from "../history/parts.ts";
import { messageWriter } from "../history/write-slots.ts";
import { epochName, formName } from "../memory/epochs.ts";
import type { Job } from "../memory/jobs.ts";
import type { Condensed, CondenseWork } from "../workers/work.ts";
import { epochOf, type FitRequest, type Form, renderedForm } from "./fit-request.ts";
import { LeaseTaken, withLease } from "./with-lease.ts";

/** Answers one ask. Never rejects. */
export type AnswerAsk = (ask: Ask) => Promise<Answer>;

export interface Condensing {
  /** The form that is sent until then. Its summaries are updated instead of written again. */
  readonly from: Form;
  /** Has the conversation's own model compact the sent messages, if it can. */
  readonly compact: (() => Promise<Answer | undefined>) | undefined;
  /** Whether the strategy condenses it if its own model does not. */
  readonly needsStrategy: boolean;
  readonly answer: AnswerAsk;
  readonly onDone: (epoch: Epoch, condensed: Condensed) => void;
  /** Called if it had no result although it called a model. The report has the cost, and equal sizes. */
  readonly onMissed: (report: Report) => void;
  /** Waits while another gateway works on it. */
  readonly wait: (ms: number) => Promise<void>;
}

/**
 * Condenses the conversation of a request, or joins a condensation that runs already, here or in another gateway on the same store. The
 * result is stored for later turns.
 */
export function condense(fitRequest: FitRequest, condensing: Condensing): Job {
  const { state, scope, history } = fitRequest;
  const prefixes = history.prefixes();
  const running = state.jobs.find(scope, prefixes);
  if (running !== undefined) return running;
  let onAsk = () => {};
  const asked = new Promise<void>((resolve) => {
    onAsk = resolve;
  });
  const make = (ours: Ours) => condenseAs(fitRequest, condensing, { ours, onAsk });
  const done = withLease(fitRequest, { make, onWait: onAsk, wait: condensing.wait }).finally(onAsk);
  return state.jobs.start(scope, { prefix: prefixes.at(-1) ?? "", messages: prefixes.length, asked, done });
}

type Ours = () => Promise<void>;

interface Asking {
  /** Resolves when this gateway holds the lease and may spend money. */
  readonly ours: Ours;
  readonly onAsk: () => void;
}

async function condenseAs(
  fitRequest: FitRequest,
  { from, compact, needsStrategy, answer, onDone, onMissed }: Condensing,
  { ours, onAsk }: Asking,
) {
  const { state, scope, history, limits } = fitRequest;
  const prefixes = history.prefixes();
  const startedMs = state.nowMs();
  let spentUsd = 0;
  let hasCompacted = false;
  let readBy: Reads = "messages";
  const ask = async <T>(act: () => Promise<T>): Promise<T> => {
    await ours();
    onAsk();
    return await act();
  };
  const askCompaction = async () => {
    hasCompacted = compact !== undefined;
    const answer = compact && (await ask(compact));
    spentUsd += answer?.costUsd ?? 0;
    return answer;
  };
  const answerAll = async (asks: readonly Ask[]) => {
    const answers = await ask(() => Promise.all(asks.map(answer)));
    for (const { costUsd = 0 } of answers) spentUsd += costUsd;
    if (answers.some((each) => each.kind === "text" && each.readsAll === true)) readBy = "request";
    return answers;
  };
  const spent = () => ({ spentUsd, milliseconds: state.nowMs() - startedMs });
  const miss = (tokensAfter: number, report: Report = NO_REPORT) => {
    const tokensBefore = from.tokens;
    const { targetTokens } = limits;
    state.jobs.miss(scope, prefixes.at(-1) ?? "", { tokensBefore, tokensAfter, targetTokens, costUsd: spentUsd });
    if (!hasCompacted && spentUsd === 0) return;
    onMissed({ ...withSpending(report, spent()), tokensBefore, tokensAfter: tokensBefore });
  };
  try {
    const found = await compacted(fitRequest, from, await askCompaction());
    if (found === undefined && (!needsStrategy || compactsAtThreshold(fitRequest))) return void miss(from.tokens);
    const work = () => state.workers.condense(workOf(fitRequest, from), answerAll);
    const made = found ?? (await work());
    const condensed = { ...made, report: withSpending(made.report, spent()) };
    if (condensed.misfits.length === 0) {
      const reads = found === undefined ? readBy : "head";
      onDone(await keep(fitRequest, condensed, { from, reads }), condensed);
      state.jobs.succeed(scope, prefixes);
    } else miss(condensed.report.tokensAfter, condensed.report);
    return condensed;
  } catch (error) {
    if (!(error instanceof LeaseTaken)) miss(from.tokens);
    throw error;
  }
}

/** The engine reports the cost of the strategy that succeeded; failed ones and a failed compaction before it cost something too. */
function withSpending(report: Report, { spentUsd, milliseconds }: { spentUsd: number; milliseconds: number }): Report {
  return { ...report, milliseconds: report.milliseconds ?? milliseconds, ...(spentUsd > 0 && { costUsd: spentUsd }) };
}

/** Returns the own model's compaction of the sent messages, or undefined if it does not help. */
async function compacted(fitRequest: FitRequest, from: Form, answer: Answer | undefined) {
  if (answer?.kind !== "compaction") return undefined;
  const { block, costUsd = 0 } = answer;
  const condensed = await renderBlock(fitRequest, from, { block, costUsd, messages: sentMessages(fitRequest, from) });
  return condensed.misfits.length === 0 ? condensed : undefined;
}

/** Returns whether the model compacts at a threshold from now on, because its vendor has refused to compact on demand since the request arrived. */
export function compactsAtThreshold({ state, call, destination, compaction }: FitRequest): boolean {
  if (compaction.askTokens === undefined || !state.learned.isOnDemandRefused(call, destination)) return false;
  const { model } = destination.match;
  return model.compaction.threshold && model.betas["compaction-threshold"] !== undefined;
}

/** Returns how many messages of the conversation were sent before in this form. */
export function sentMessages({ state, scope, history }: FitRequest, { epoch }: Form): number {
  return state.anchors.sentMessages(formName(scope, epoch), history.prefixes());
}

/** Fits a conversation without a model until a summary is ready. Throws if it cannot fit. */
export async function placeholderForm(fitRequest: FitRequest, from: Form): Promise<Form> {
  return await madeForm(fitRequest, workOf(fitRequest, from, MECHANICAL), { from, isPlaceholder: true });
}

/** Removes images and bytes that the upstream would refuse, and nothing else. */
export async function withoutSurplusMedia(fitRequest: FitRequest, from: Form): Promise<Form> {
  const { limits } = fitRequest;
  const budget = { ...limits, targetTokens: limits.budgetTokens };
  return await madeForm(fitRequest, workOf(fitRequest, from, { ...MECHANICAL, budget }), { from });
}

/** The strategy without a model, with its default settings. */
const MECHANICAL = { strategy: "middle-out", configs: {}, fallbacks: [] };

async function madeForm(fitRequest: FitRequest, work: CondenseWork, keeping: Keeping): Promise<Form> {
  const condensed = await fitRequest.state.workers.condense({ ...work, isOffline: true }, () => Promise.resolve([]));
  if (condensed.misfits.length > 0) throw tooLarge(fitRequest, condensed);
  return renderedForm(fitRequest, await keep(fitRequest, condensed, keeping), condensed.rendering);
}

function workOf({ prompt, plan }: FitRequest, { epoch }: Form, other: Partial<PlanOptions> = {}): CondenseWork {
  return { prompt, plan: { ...plan, ...other }, ...(epoch && { continues: epoch.projection }) };
}

interface Keeping {
  /** The form that it was made from. */
  readonly from: Form;
  /** @default false */
  readonly isPlaceholder?: boolean;
  /** @default "messages" */
  readonly reads?: Reads;
}

/** Stores a condensation for later turns. */
export async function keep(fitRequest: FitRequest, condensed: Condensed, keeping: Keeping): Promise<Epoch> {
  const { from, isPlaceholder = false, reads = "messages" } = keeping;
  const { state, limits, prompt } = fitRequest;
  const { projection, report, rendering } = condensed;
  const { strategy, tokensBefore, tokensAfter, costUsd = 0 } = report;
  const { targetTokens } = limits;
  const figures = { tokensBefore, tokensAfter, targetTokens, costUsd };
  const made = { strategy, from: 0, projection, isPlaceholder, ...figures };
  const epoch = epochOf(fitRequest, made, { base: from.epoch, reads });
  state.renderings.keep(epochName(epoch), prompt.wire, rendering);
  await state.epochs.put(epoch);
  return epoch;
}

/** Returns the error for a conversation that cannot fit, with figures that clients parse. */
export function tooLarge({ history, limits }: FitRequest, { report, misfits }: Condensed): LonghaulError {
  const others = misfits.filter(({ what }) => what !== "tokens");
  if (others.length > 0) {
    return new LonghaulError(
      "request.too-large",
      `${others.map(describeMisfit).join("; ")}; send fewer or smaller images or files`,
    );
  }
  const { windowTokens } = limits;
  // A window may be smaller than the answer that it has to leave room for.
  const budgetTokens = Math.max(0, limits.budgetTokens);
  const over = report.tokensAfter - budgetTokens;
  const parts = `system and tools take ${history.headTokens} tokens, the last message ${history.messageTokens.at(-1) ?? 0}`;
  const rule = `The parts of this request that cannot be condensed exceed the budget of ${budgetTokens} tokens by ${over}`;
  const advice = `${rule}: ${parts}; shorten them, or use a model with a larger window.`;
  const actualTokens = history.tokens;
  // Clients expect the request to exceed the reported limit.
  const limitTokens = actualTokens > windowTokens ? windowTokens : budgetTokens;
  return new LonghaulError("request.too-large", advice, { overflow: { actualTokens, limitTokens, advice } });
}

const NOTHING: Conversation = { system: [], tools: [], messages: [] };

/** Renders a vendor's summary in place of the first messages, without reading them. */
export async function renderBlock(
  fitRequest: FitRequest,
  form: Form,
  { block, messages, costUsd }: Compacted,
): Promise<Condensed> {
  const { history, prompt, ratio, state } = fitRequest;
  const projection = projectionOfBlock(block, messages);
  const message = { role: "assistant", blocks: [block] } as const;
  const json = messageWriter(NOTHING, prompt)(message);
  const counter = await state.counters.counterFor(prompt.tokenizer, ratio);
  const rendering: Rendering = {
    messages,
    parts: [{ kind: "written", json, tokens: counter.countMessage(message) }],
    prints: history.messages.slice(0, messages).map(({ fingerprint }) => fingerprint),
    ratio,
  };
  const tokensAfter = renderedTokens(rendering, history, ratio);
  return {
    projection,
    rendering,
    misfits: tokenMisfits(tokensAfter, fitRequest.limits),
    report: compactionReport({ tokensBefore: form.tokens, tokensAfter, costUsd }),
  };
}

/** A vendor's summary, the number of messages that it replaces, and its cost apart from the request that brought it. */
export interface Compacted {
  readonly block: CompactionBlock;
  readonly messages: number;
  readonly costUsd: number;
}

/** Makes the report of a compaction, by the vendor or for a client that asked for one. */
export function compactionReport(figures: Pick<Report, "tokensBefore" | "tokensAfter" | "costUsd">): Report {
  const name = { strategy: "compaction", strategyName: "Vendor compaction" };
  return { ...name, ...figures, passes: [], fallbacks: [], warnings: [] };
}

/** A run that failed before any strategy had a result: mostly a compaction without a summary. */
const NO_REPORT = compactionReport({ tokensBefore: 0, tokensAfter: 0, costUsd: 0 });

interface Sent {
  readonly fitRequest: FitRequest;
  readonly form: Form;
}

/** Stores the block that a vendor put before its answer. It replaces all messages of its request. */
export async function keepBlock({ fitRequest, form }: Sent, block: CompactionBlock): Promise<Epoch> {
  const messages = fitRequest.history.messages.length;
  // The summary's cost is part of the request's cost.
  const condensed = await renderBlock(fitRequest, form, { block, messages, costUsd: 0 });
  return await keep(fitRequest, condensed, { from: form, reads: "head" });
}

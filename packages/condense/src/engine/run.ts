import type { Hash } from "@longhaul/conversation";
import type { TokenCounter } from "@longhaul/models";
import { type PassReport, totalCost } from "../contract/report.ts";
import type { Pass } from "../contract/strategy.ts";
import { type Limits, makeView, type View } from "../contract/view.ts";
import { answerOffline } from "../coverage/digest.ts";
import type { Draft } from "../edits/draft.ts";
import { type Answer, type Ask, asksIn, type Edit } from "../edits/edit.ts";
import { keepFacts } from "../facts/facts.ts";
import { apply } from "../rewrite/apply.ts";
import { violations } from "./invariants.ts";

/** The context of a run. */
export interface RunContext {
  readonly limits: Limits;
  readonly counter: TokenCounter;
  readonly hash: Hash;
  /** A clock in milliseconds; without one, the report has no durations. */
  readonly now?: () => number;
  /** Whether the first user message may be dropped. @default false */
  readonly dropsTask?: boolean;
  /** Whether the answers are placeholders of the expected length. */
  readonly isDryRun?: boolean;
  /** Called for every applied pass; its edits are undone if a later strategy starts over. */
  readonly onApplied?: (applied: AppliedPass) => void;
}

/** A pass whose edits were applied. */
export interface AppliedPass {
  readonly pass: Pass;
  readonly edits: readonly Edit[];
  /** The conversation before the edits. */
  readonly before: Draft;
}

/** The result of a run of passes. */
export interface RunResult {
  readonly draft: Draft;
  readonly passes: readonly PassReport[];
}

/** A run in progress: it yields each pass's asks as one batch and is resumed with their answers. */
export type RunSteps<T> = Generator<readonly Ask[], T, readonly Answer[]>;

/** Passes to run, and whether to stop once the target is reached. */
export interface PassList {
  readonly passes: readonly Pass[];
  readonly stopsAtTarget: boolean;
}

/** Runs passes in order, each on the result of the previous ones. A pass that breaks an invariant is undone, and the next one runs. */
export function* runPasses(
  start: Draft,
  { passes, stopsAtTarget }: PassList,
  context: RunContext,
): RunSteps<RunResult> {
  let before: Before = { draft: start, view: makeView(start, context) };
  const reports: PassReport[] = [];
  for (const pass of passes) {
    if (stopsAtTarget && before.view.tokens <= context.limits.targetTokens) break;
    const { draft, report } = yield* runPass(pass, before, context);
    if (draft !== before.draft) before = { draft, view: makeView(draft, context) };
    reports.push(report);
  }
  return { draft: before.draft, passes: reports };
}

interface Step {
  readonly draft: Draft;
  readonly report: PassReport;
}

interface Before {
  readonly draft: Draft;
  readonly view: View;
}

function* runPass(pass: Pass, before: Before, context: RunContext): RunSteps<Step> {
  const startedAt = context.now?.();
  const { draft = before.draft, ...outcome } = yield* attempt(pass, before, context);
  const report = {
    id: pass.id,
    name: pass.name,
    tokensBefore: before.view.tokens,
    tokensAfter: context.counter.countConversation(draft.conversation),
    ...durationSince(startedAt, context),
    ...outcome,
  };
  return { draft, report };
}

/** Returns the time since the start, if there is a clock. */
export function durationSince(
  startedAt: number | undefined,
  { now }: Pick<RunContext, "now">,
): { readonly milliseconds?: number } {
  return startedAt === undefined || now === undefined ? {} : { milliseconds: now() - startedAt };
}

function whySkipped({ tokens, limits }: View): string {
  return tokens <= limits.targetTokens ? "the target is already reached" : "its condition is not met";
}

/** The outcome of a pass; `draft` is set if its edits are kept. */
type Attempt = Pick<PassReport, "outcome" | "why" | "operations" | "costUsd" | "facts"> & { readonly draft?: Draft };

function* attempt(pass: Pass, before: Before, context: RunContext): RunSteps<Attempt> {
  let cost: Cost = { costUsd: 0 };
  try {
    if (pass.applies?.(before.view) === false) return without("skipped", whySkipped(before.view), cost);
    const edits = pass.plan(before.view);
    if (edits.length === 0) return without("nothing-to-do", undefined, cost);
    const asks = asksIn(edits);
    const answers = asks.length === 0 ? [] : yield asks;
    cost = totalCost(answers.map(({ costUsd }) => costUsd));
    const checked = context.isDryRun === true ? { answers } : keepFacts(edits, answers, before.view);
    const applied = (hash: Hash) => apply(before.draft, edits, { answers: checked.answers, hash });
    // A trial that does not reach the target is discarded: it needs neither hashes nor a check.
    if (pass.isTrial === true && !reaches(applied(NO_HASH), before.view)) return without("skipped", NOT_ENOUGH, cost);
    const draft = applied(context.hash);
    const faults = faultsOf(pass, before, { draft, answers });
    if (faults.length > 0) return without("undone", faults.join("; "), cost);
    const facts = "facts" in checked ? { facts: checked.facts } : {};
    context.onApplied?.({ pass, edits, before: before.draft });
    const replaced = answers.find((answer) => answer.kind === "text" && answer.insteadOf !== undefined);
    return { outcome: "applied", draft, operations: countReasons(edits), ...cost, ...facts, ...whyOffline(replaced) };
  } catch (error) {
    return without("failed", error instanceof Error ? error.message : String(error), cost);
  }
}

function whyOffline(answer: Answer | undefined): Pick<PassReport, "why"> {
  if (answer?.kind !== "text" || answer.insteadOf === undefined) return {};
  return { why: `a summary was written without a model, because ${answer.insteadOf}` };
}

type Cost = Pick<PassReport, "costUsd">;

const BLANK = "the summary is empty";

/** A blank summary would replace messages with nothing. */
function isBlank(answer: Answer): boolean {
  return answer.kind === "text" && answer.text.trim() === "";
}

function without(outcome: PassReport["outcome"], why: string | undefined, cost: Cost): Attempt {
  return { outcome, operations: {}, ...cost, ...(why === undefined ? {} : { why }) };
}

function faultsOf(
  pass: Pass,
  before: Before,
  { draft, answers }: { readonly draft: Draft; readonly answers: readonly Answer[] },
): readonly string[] {
  const objections = pass.objections?.(before.view, draft.conversation) ?? [];
  if (objections.length > 0) return objections;
  if (answers.some(isBlank)) return [BLANK];
  return violations(before, draft, pass);
}

const NO_HASH: Hash = () => "";

const NOT_ENOUGH = "it does not reach the target on its own";

function reaches({ conversation }: Draft, { counter, limits }: View): boolean {
  return counter.countConversation(conversation) <= limits.targetTokens;
}

function countReasons(edits: readonly Edit[]): PassReport["operations"] {
  const counts: Partial<Record<Edit["reason"], number>> = {};
  for (const { reason } of edits) counts[reason] = (counts[reason] ?? 0) + 1;
  return counts;
}

/** How asks are answered. */
export interface AnsweringContext {
  readonly counter: TokenCounter;
  /** Answers one ask, usually by calling a model. Without it, or if it fails, summaries are written without a model. */
  readonly summarize?: (ask: Ask) => Promise<Answer | string>;
}

/** Completes a run, answering its asks with a summarizer or without one. */
export async function answerAsks<T>(running: RunSteps<T>, summarizing: AnsweringContext): Promise<T> {
  return await drive(running, (asks) => Promise.all(asks.map((ask) => answerWith(summarizing, ask))));
}

/** Completes a run, answering each batch of asks in turn. */
export async function drive<T>(
  running: RunSteps<T>,
  answer: (asks: readonly Ask[]) => Promise<readonly Answer[]>,
): Promise<T> {
  let step = running.next();
  while (step.done !== true) step = running.next(await answer(step.value));
  return step.value;
}

/** Completes a run synchronously. */
export function driveSync<T>(running: RunSteps<T>, answer: (ask: Ask) => Answer): T {
  let step = running.next();
  while (step.done !== true) step = running.next(step.value.map(answer));
  return step.value;
}

/** Answers an ask. If the summarizer fails or writes nothing, the summary is written without a model, and says why. */
async function answerWith({ summarize, counter }: AnsweringContext, ask: Ask): Promise<Answer> {
  if (summarize === undefined) return answerOffline(ask, counter);
  const answer = await attemptSummary(summarize, ask);
  if (answer.kind !== "failed" && !isBlank(answer)) return answer;
  const { usage, costUsd = 0 } = answer;
  const insteadOf = answer.kind === "failed" ? answer.why : BLANK;
  return { ...answerOffline(ask, counter), insteadOf, ...(usage && { usage }), costUsd };
}

async function attemptSummary(summarize: NonNullable<AnsweringContext["summarize"]>, ask: Ask): Promise<Answer> {
  try {
    const answer = await summarize(ask);
    return typeof answer === "string" ? { kind: "text", text: answer } : answer;
  } catch (error) {
    return { kind: "failed", why: `the summarizer failed: ${error instanceof Error ? error.message : String(error)}` };
  }
}

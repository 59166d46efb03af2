import { type Conversation, LonghaulError, requireMessages } from "@longhaul/conversation/advanced";
import { type Prices, savedPerCall, type TokenCounter } from "@longhaul/models/advanced";
import { formatCount } from "@longhaul/models/format";
import { type Misfit, mediaMisfits, tokenMisfits } from "./budget/misfits.ts";
import { type PassReport, type Report, totalCost } from "./contract/report.ts";
import type { Pass, Strategy } from "./contract/strategy.ts";
import { type Limits, limitOf, makeView, noteReserve, withNoteReserve } from "./contract/view.ts";
import { planCover } from "./coverage/cover.ts";
import { newestResultsPass, surplusOfNewest } from "./coverage/newest-results.ts";
import { recallNote, recallReserve } from "./coverage/recall-note.ts";
import { type Draft, openDraft } from "./edits/draft.ts";
import type { Reason } from "./edits/edit.ts";
import { durationSince, type RunContext, type RunResult, type RunSteps, runPasses } from "./engine/run.ts";
import { fitMediaPass, fitPasses } from "./passes/fit.ts";
import { referencesPass } from "./passes/references.ts";
import { dropThinking, firstDifference, openLoopStart, type ThinkingRules } from "./passes/thinking.ts";
import { expandAllReferences } from "./references/resolve.ts";
import { apply } from "./rewrite/apply.ts";
import { withNotes, withoutNotes } from "./rewrite/notes.ts";
import { type PinnedMessages, pinnedMessages, withPins, withRoomForPins } from "./rewrite/pins.ts";
import { flatten, type Projection, project } from "./rewrite/projection.ts";
import { withQuestions } from "./rewrite/questions.ts";

/** A strategy with its configuration. */
export interface StrategyChoice {
  readonly strategy: Strategy;
  readonly config?: unknown;
}

/** All inputs of a condensation. */
export interface CondensingPlan extends RunContext {
  /** Tried in order until one succeeds. */
  readonly choices: readonly [StrategyChoice, ...StrategyChoice[]];
  readonly thinking?: ThinkingRules;
  /** The form in which the conversation was last sent, if it was not the raw one. */
  readonly sent?: Projection;
  /** An earlier condensation to continue from: its summaries are updated instead of written again. */
  readonly continues?: Projection;
  /** Prices of the conversation's model, for the amounts in the report. */
  readonly prices?: Prices;
  /** Fingerprints of messages that are kept whole, in addition to those that the user marks in their text. */
  readonly pins?: readonly string[];
}

/** A condensed conversation, with the record of how. */
export interface Condensation {
  readonly conversation: Conversation;
  /** The changes in the coordinates of the raw conversation; store it to replay them. */
  readonly projection: Projection;
  readonly report: Report;
  /** Whether the result is within all limits. */
  readonly fits: boolean;
  /** Protected content that is still too large. */
  readonly misfits: readonly Misfit[];
  /** Index of the first message that differs from the last request: the first cache miss. */
  readonly firstChanged: number;
}

/**
 * Condenses a conversation as a generator: it yields asks in batches, is resumed with their answers, and calls nothing itself. If a
 * strategy fails and leaves the conversation over its budget, the next one runs; if it is still over at the end, it is fitted mechanically.
 */
export function* condenseInSteps(conversation: Conversation, given: CondensingPlan): RunSteps<Condensation> {
  requireMessages(conversation.messages);
  const startedAt = given.now?.();
  const pinned = pinnedMessages(conversation.messages, given);
  const plan = { ...given, limits: withRoomForPins(given.limits, pinned) };
  const room = { ...plan, limits: withRoomForNotes(conversation, plan) };
  const chosen = yield* runChoices(conversation, plan, room.limits);
  const { run, isFinal, dropsTask } = chosen;
  const limits = highest(plan.limits, room.limits);
  const fitted = isFinal ? { draft: run.draft, passes: [] } : yield* fit(run.draft, { ...plan, limits, dropsTask });
  const closed = close(isFinal ? fitted.draft : withPins(withQuestions(fitted.draft, room), pinned), given);
  const passes = [...run.passes, ...fitted.passes.filter((pass) => pass.outcome !== "skipped"), ...closed.passes];
  const tokensAfter = plan.counter.countConversation(closed.draft.conversation);
  const totals = { tokensBefore: plan.counter.countConversation(conversation), tokensAfter };
  const misfits = misfitsOf(closed.draft.conversation, tokensAfter, given.limits);
  return {
    conversation: closed.draft.conversation,
    projection: flatten(closed.draft, plan.hash),
    report: {
      ...chosen.report,
      passes,
      ...totals,
      ...durationSince(startedAt, plan),
      ...money(passes, totals, plan.prices),
      ...unusedOf(passes, totals, given.limits),
      warnings: [...warningsOf(passes), ...pinWarnings(pinned)],
    },
    fits: misfits.length === 0,
    misfits,
    firstChanged: closed.firstChanged,
  };
}

function pinWarnings({ surplus }: PinnedMessages): string[] {
  if (surplus === 0) return [];
  const what = surplus === 1 ? "1 pinned message was" : `${surplus} pinned messages were`;
  return [`${what} not kept: pinned messages may take up half of the target`];
}

function misfitsOf(conversation: Conversation, tokens: number, limits: Limits): Misfit[] {
  return [...tokenMisfits(tokens, limits), ...mediaMisfits(conversation, limits.media ?? {})];
}

interface ChosenRun {
  readonly run: RunResult;
  readonly isFinal: boolean;
  readonly dropsTask: boolean;
  readonly report: Pick<Report, "strategy" | "strategyName" | "fallbacks">;
}

function* runChoices(conversation: Conversation, plan: CondensingPlan, limits: Limits): RunSteps<ChosenRun> {
  const fallbacks: { strategy: string; why: string }[] = [];
  for (const [index, { strategy, config }] of plan.choices.entries()) {
    const { stopsAtTarget, isFinal = false, dropsTask = false } = strategy;
    const list = { passes: passesOf(strategy, config), stopsAtTarget };
    const run = yield* runPasses(startOf(conversation, plan), list, { ...plan, limits, dropsTask });
    const why = failureOf(run, plan);
    const isLast = isFinal || index === plan.choices.length - 1;
    if (why === undefined || isLast) {
      return {
        run: withoutIdle(run),
        isFinal,
        dropsTask,
        report: { strategy: strategy.id, strategyName: strategy.name, fallbacks },
      };
    }
    fallbacks.push({ strategy: strategy.id, why });
  }
  throw new LonghaulError("internal.bug", "no strategy given");
}

/** Whether the newest results may be shortened before the passes of a strategy run. */
function shortensNewest({ isFinal, capabilities }: Strategy): boolean {
  return isFinal !== true && !capabilities.lossless;
}

/** Returns the passes of a strategy. Unless it loses nothing, the newest results are shortened first; but a trial may suffice. */
function passesOf(strategy: Strategy, config: unknown): Pass[] {
  const passes = [...strategy.passes(config)];
  if (shortensNewest(strategy)) passes.splice(passes.findLastIndex(({ isTrial }) => isTrial) + 1, 0, newestResultsPass);
  return passes;
}

/** Removes the report that there are no large new results. */
function withoutIdle({ draft, passes }: RunResult): RunResult {
  return { draft, passes: passes.filter(({ id, outcome }) => id !== newestResultsPass.id || outcome !== "skipped") };
}

function startOf(conversation: Conversation, { continues, hash }: CondensingPlan): Draft {
  return continues === undefined ? openDraft(conversation) : withoutNotes(project(conversation, continues, hash));
}

/** Returns why a run failed: a pass failed or was undone, and the result is over the budget. */
function failureOf({ draft, passes }: RunResult, plan: CondensingPlan): string | undefined {
  const tokens = plan.counter.countConversation(draft.conversation);
  if (tokens <= plan.limits.budgetTokens) return undefined;
  return passes.find((pass) => pass.outcome === "failed" || pass.outcome === "undone")?.why;
}

/**
 * Fits a draft mechanically. Cutting the target of a reference may only move its text to another message, so a draft that still does not
 * fit is fitted again with all references expanded; repeats become references at the end.
 */
function* fit(draft: Draft, plan: CondensingPlan): RunSteps<RunResult> {
  const ladder = { passes: [fitMediaPass, ...fitPasses((view) => planCover(view, FIT_SHARES))], stopsAtTarget: false };
  const fitted = yield* runPasses(draft, ladder, plan);
  const written = fitsLimit(fitted.draft, plan) ? fitted.draft : expandAllReferences(draft);
  if (written === fitted.draft || written === draft) return fitted;
  const passes = [...ladder.passes, referencesPass({ references: "results" })];
  return yield* runPasses(written, { ...ladder, passes }, plan);
}

/** Fitting never cuts the newest step while there is anything else. */
const FIT_SHARES = { tail: 0.3, newest: 2, user: 0.25 };

function fitsLimit({ conversation }: Draft, { counter, limits }: CondensingPlan): boolean {
  return counter.countConversation(conversation) <= limitOf(limits);
}

interface ClosedDraft {
  readonly draft: Draft;
  readonly passes: readonly PassReport[];
  readonly firstChanged: number;
}

/** Adds the notes. The model would reject reasoning after the first change, so it is removed. */
function close(draft: Draft, plan: CondensingPlan): ClosedDraft {
  const { messages } = draft.conversation;
  const sent = plan.sent === undefined ? draft.raw : project(draft.raw, plan.sent, plan.hash).conversation;
  const addNotes = (to: Draft) => withNotes(to, { ...plan, more: (noted) => recallFor(to, noted, plan) });
  const noted = addNotes(draft);
  const firstChanged = firstDifference(sent, noted.conversation, plan.hash);
  const view = makeView(draft, plan);
  const keepFrom = plan.thinking?.binds === true ? messages.length : openLoopStart(messages, view.latestUserMessage);
  const edits = dropThinking(messages, firstChanged, keepFrom);
  if (edits.length === 0) return { draft: noted, passes: [], firstChanged };
  const closed = apply(draft, edits, { answers: [], hash: plan.hash });
  const tokens = { tokensBefore: view.tokens, tokensAfter: plan.counter.countConversation(closed.conversation) };
  const operations = { thinking: edits.length };
  const report = {
    id: "thinking",
    name: "Thinking",
    outcome: "applied",
    operations,
    costUsd: 0,
    ...tokens,
  } as const;
  return { draft: addNotes(closed), passes: [report], firstChanged };
}

/**
 * Lowers the target by the size of the note, the marks, and the text that follows the note. If the task and the newest step would not fit,
 * they become the target, as long as the upstream accepts that size: the model has not read the newest results yet.
 */
function withRoomForNotes(conversation: Conversation, plan: CondensingPlan): Limits {
  const { counter, limits } = plan;
  const { targetTokens, budgetTokens } = withNoteReserve(limits);
  const reserve = reserveFor(conversation, targetTokens, counter);
  const lowered = targetTokens - reserve;
  const neededTokens = hasStep(conversation) ? tokensOfTaskAndNewest(conversation, plan, lowered) : 0;
  const mostTokens = limitOf(limits) - reserve - noteReserve(limitOf(limits));
  if (neededTokens > lowered && neededTokens <= mostTokens) {
    return { ...limits, targetTokens: neededTokens, budgetTokens: mostTokens };
  }
  return { ...limits, targetTokens: lowered, budgetTokens: Math.max(lowered, budgetTokens - reserve) };
}

function highest(limits: Limits, others: Limits): Limits {
  return {
    ...limits,
    targetTokens: Math.max(limits.targetTokens, others.targetTokens),
    budgetTokens: Math.max(limits.budgetTokens, others.budgetTokens),
  };
}

/** Counts the tokens of the task and the newest step that stay at a target. */
function tokensOfTaskAndNewest(conversation: Conversation, plan: CondensingPlan, targetTokens: number): number {
  const tokens = plan.counter.countConversation(withTaskAndNewest(conversation));
  if (tokens <= targetTokens || !plan.choices.some(({ strategy }) => shortensNewest(strategy))) return tokens;
  const view = makeView(openDraft(conversation), { ...plan, limits: { ...plan.limits, targetTokens } });
  return tokens - surplusOfNewest(view);
}

function hasStep({ messages }: Conversation): boolean {
  return messages.some(({ role }) => role === "assistant");
}

/** Returns the conversation with only its messages up to the task, and from the assistant's last one on. */
function withTaskAndNewest(conversation: Conversation): Conversation {
  const { messages } = conversation;
  const afterTask = messages.findIndex(({ role }) => role === "user") + 1;
  const newestFrom = messages.findLastIndex(({ role }) => role === "assistant");
  const newest = messages.slice(Math.max(afterTask, newestFrom));
  return { ...conversation, messages: [...messages.slice(0, afterTask), ...newest] };
}

/** Returns the tokens to reserve for the text that follows the note. */
function reserveFor(conversation: Conversation, targetTokens: number, counter: TokenCounter): number {
  const fixedTokens = counter.countConversation({ ...conversation, messages: [] });
  return recallReserve(targetTokens - fixedTokens, counter.countConversation(conversation) - fixedTokens);
}

/** Writes the text that follows the note, as far as the target has room for it, or else the budget. */
function recallFor({ raw }: Draft, noted: Conversation, { counter, limits }: CondensingPlan): string {
  const { targetTokens, budgetTokens } = limits;
  const tokens = counter.countConversation(noted);
  const room = Math.min(
    (tokens <= targetTokens ? targetTokens : budgetTokens) - tokens,
    counter.countConversation(raw) - tokens,
  );
  const maxTokens = Math.min(room - RECALL_OVERHEAD, reserveFor(raw, targetTokens, counter));
  return maxTokens <= 0 ? "" : recallNote({ raw, kept: noted, maxTokens, counter });
}

/** Counts of parts do not add up exactly. */
const RECALL_OVERHEAD = 4;

function money(
  passes: readonly PassReport[],
  { tokensBefore, tokensAfter }: { tokensBefore: number; tokensAfter: number },
  prices: Prices | undefined,
): Pick<Report, "costUsd" | "savedPerCallUsd"> {
  return {
    ...totalCost(passes.map(({ costUsd }) => costUsd)),
    ...(prices && { savedPerCallUsd: savedPerCall(tokensBefore - tokensAfter, prices) }),
  };
}

/** A result that uses this share of a size uses it well. */
const GOOD_USE = 0.9;
const REPEATS: ReadonlySet<string> = new Set<Reason>(["reference", "consolidate"]);

/** Says how much of the size that the upstream accepts is left free, and why. */
function unusedOf(
  passes: readonly PassReport[],
  { tokensBefore, tokensAfter }: { tokensBefore: number; tokensAfter: number },
  limits: Limits,
): Pick<Report, "unused"> {
  const limit = limitOf(limits);
  if (tokensAfter >= GOOD_USE * limit || tokensAfter === tokensBefore) return {};
  const reasons = passes
    .filter(({ outcome }) => outcome === "applied")
    .flatMap(({ operations }) => Object.keys(operations));
  const aim = `condensing aims at ${formatCount(limits.targetTokens)} tokens, so that the next turns fit too`;
  const why =
    tokensAfter >= GOOD_USE * limits.targetTokens
      ? aim
      : reasons.every((reason) => REPEATS.has(reason))
        ? "references to repeated lines freed enough, so nothing had to be left out"
        : "the strategy's own settings keep no more";
  return { unused: { tokens: limit - tokensAfter, why } };
}

function warningsOf(passes: readonly PassReport[]): string[] {
  return passes.flatMap(({ name, outcome, why }) => {
    if (why === undefined) return [];
    if (outcome === "applied") return [`${name}: ${why}`];
    if (outcome === "failed") return [`${name} failed: ${why}`];
    return outcome === "undone" ? [`${name} was undone: ${why}`] : [];
  });
}

import { type Message, type Role, table, toolPairs } from "@longhaul/conversation/advanced";
import type { Content, Level } from "../content/content.ts";
import { nearestCut } from "../content/cuts.ts";
import { isMedia } from "../content/media.ts";
import type { Pass } from "../contract/strategy.ts";
import { makeView, type View } from "../contract/view.ts";
import { planCover, type Shrink } from "../coverage/cover.ts";
import type { ScopeShares } from "../coverage/scope.ts";
import type { Edit } from "../edits/edit.ts";
import { obsoletePass } from "../passes/obsolete.ts";
import { planOldestFirst } from "../passes/oldest-first.ts";
import type { Operation } from "../passes/operations.ts";
import { consolidatePass, referencesPass } from "../passes/references.ts";
import { terminalCodesPass } from "../passes/terminal-codes.ts";
import { apply } from "../rewrite/apply.ts";
import { SUMMARY_PROMPT } from "../summaries/prompts.ts";
import {
  askAboutMessages,
  earlierSummary,
  indexesOf,
  type Range,
  rangesOf,
  summaryNote,
  summaryOptionsOf,
} from "../summaries/ranges.ts";
import {
  CONTENT_TYPES,
  type CoverConfig,
  type Execution,
  type IndividualConfig,
  type PassConfig,
  type PreludeConfig,
  type Selection,
  type SmartConfig,
  type Summarization,
} from "./config.ts";

/** Returns the passes of a configuration with the prelude around them. Each runs only until the target is reached. */
export function smartPasses({ losslessPrelude, preserveUserMessages, passes }: SmartConfig): Pass[] {
  const { before, after } = preludeOf(losslessPrelude);
  const own = passes.map((pass) => ({
    id: pass.id,
    name: pass.name,
    plan: (view: View) => planPass(view, pass, { preserveUserMessages, after }),
    applies: (view: View) => isDue(view, pass.execution),
  }));
  return [...before.map(whileOver), ...own, ...after];
}

/** Whether a pass of a configuration asks a model for summaries. */
export function asksModel({ passes }: SmartConfig): boolean {
  return passes.some((pass) => {
    if (pass.mode === "cover") return false;
    if (pass.mode === "batch") return pass.batchConfig.operation === "summarize";
    const { defaults, overrides } = pass.individualConfig;
    const chosen = [defaults, ...overrides.map(({ operations }) => operations)].flatMap((each) => Object.values(each));
    return chosen.some(({ operation }) => operation === "summarize");
  });
}

interface PassContext {
  readonly preserveUserMessages: boolean;
  /** The passes of the prelude that run after those of the configuration. */
  readonly after: readonly Pass[];
}

function planPass(view: View, pass: PassConfig, { preserveUserMessages, after }: PassContext): Edit[] {
  switch (pass.mode) {
    case "individual":
      return planIndividual(view, { ...pass, preserveUserMessages });
    case "batch": {
      if (pass.batchConfig.operation === "keep") return [];
      const { summarizationConfig: summarization } = pass.batchConfig;
      return planBatch(view, { selection: pass.selection, summarization, preserveUserMessages });
    }
    case "cover":
      return planCover(view, sharesOf(pass.coverConfig, preserveUserMessages), shrinkWith(after, view));
    default:
      return pass satisfies never;
  }
}

/** Returns the effect of lossless passes on a draft, or undefined if there are none. The draft is only counted, so it needs no hashes. */
function shrinkWith(passes: readonly Pass[], { limits, counter }: View): Shrink | undefined {
  if (passes.length === 0) return undefined;
  const hash = () => "";
  return (start) =>
    passes.reduce(
      (draft, pass) => apply(draft, pass.plan(makeView(draft, { limits, counter, hash })), { answers: [], hash }),
      start,
    );
}

function sharesOf(
  { tailPercent, newestPercent, userPercent }: CoverConfig,
  preserveUserMessages: boolean,
): ScopeShares {
  return { tail: tailPercent / 100, newest: newestPercent / 100, user: preserveUserMessages ? userPercent / 100 : 0 };
}

function isDue(view: View, execution: Execution): boolean {
  if (!isOver(view)) return false;
  if (execution.type === "always") return true;
  const { tokenThreshold = 0, windowPercent = 0 } = execution.condition;
  return view.tokens > tokenThreshold && view.tokens > (view.limits.windowTokens * windowPercent) / 100;
}

function isOver({ tokens, limits }: View): boolean {
  return tokens > limits.targetTokens;
}

function whileOver(pass: Pass): Pass {
  return { ...pass, applies: isOver };
}

/** Passes before and after those of a configuration. */
export interface PreludePasses {
  readonly before: readonly Pass[];
  readonly after: readonly Pass[];
}

/**
 * Returns the passes of the lossless prelude. First it is a trial: if it reaches the target it is kept; otherwise the passes start from the
 * raw texts without terminal codes, and references are added to the result. Obsolete content is removed first and permanently.
 */
export function preludeOf({ enabled, operations }: PreludeConfig): PreludePasses {
  if (!enabled) return { before: [], after: [] };
  const obsolete = operations.removeObsoleteState ? [obsoletePass] : [];
  const lossless = losslessPass(operations);
  if (lossless === undefined) return { before: obsolete, after: [] };
  const trial: Pass = { ...lossless, id: "prelude", name: "Lossless prelude", isTrial: true };
  return { before: [...obsolete, trial, terminalCodesPass], after: [lossless] };
}

function losslessPass({ deduplicateFileReads, consolidateToolResults }: PreludeConfig["operations"]): Pass | undefined {
  if (deduplicateFileReads) return referencesPass({ references: "results", consolidates: consolidateToolResults });
  return consolidateToolResults ? consolidatePass : undefined;
}

interface IndividualPlan {
  readonly selection: Selection;
  readonly individualConfig: IndividualConfig;
  readonly preserveUserMessages: boolean;
}

/** Plans the operations on each selected content, oldest first, until the target is reached. */
export function planIndividual(view: View, plan: IndividualPlan): Edit[] {
  const isSelected = selector(view, plan.selection);
  const overrides = new Map(plan.individualConfig.overrides.map((entry) => [entry.messageIndex, entry.operations]));
  const operationFor = (candidate: Candidate): Operation => {
    if (!isSelected(candidate)) return KEEP;
    const type = typeOf(candidate);
    const own = overrides.get(view.rawIndex(candidate.message))?.[type];
    return own ?? plan.individualConfig.defaults[type];
  };
  const media = mediaCandidates(view).filter((candidate) => operationFor(candidate).operation === "suppress");
  return planOldestFirst(view, {
    operationFor: (content) => (isProtected(content, view, plan) ? KEEP : operationFor(candidateOf(content))),
    dropsMedia: (message, block) => media.some((entry) => entry.message === message && entry.block === block),
  });
}

const KEEP: Operation = { operation: "keep" };

function typeOf({ level }: Candidate): (typeof CONTENT_TYPES)[number] {
  return CONTENT_TYPES.find((type) => LEVEL_OF[type] === level) ?? "messageText";
}

/** Generated messages, system messages, and the user's text, at least the latest. */
function isProtected(content: Content, view: View, { preserveUserMessages }: IndividualPlan): boolean {
  const { role, level, at } = content;
  if (role === "system" || view.isMade(at.message)) return true;
  if (level !== "text" || role !== "user") return false;
  return preserveUserMessages || at.message === view.latestUserMessage || at.message === view.firstUserMessage;
}

interface BatchPlan {
  readonly selection: Selection;
  readonly summarization: Summarization;
  readonly preserveUserMessages: boolean;
}

/**
 * Replaces all selected messages with one summary. Messages that stay keep their order, and the summary is placed after them, in place of
 * the last selected one. The summarizer sees the user's messages even if they stay.
 */
export function planBatch(view: View, plan: BatchPlan): Edit[] {
  const selected = selectedMessages(view, plan);
  const ranges = removedRanges(view, new Set(selected.filter((index) => !staysWhole(view, index, plan))));
  const last = ranges.at(-1);
  const gone = new Set(ranges.flatMap(indexesOf));
  if (last === undefined || ![...gone].some((index) => isFresh(view, index))) return [];
  const shown = selected.filter((index) => gone.has(index) || isUserMessage(view, index));
  const { prompt, profile, maxTokens } = plan.summarization;
  const options = summaryOptionsOf({ prompt, profile, maxSummaryTokens: maxTokens }, SUMMARY_PROMPT);
  const ask = askAboutMessages(view, shown, options);
  if (ask === undefined) return [];
  return ranges.map((range) => ({
    kind: "replace",
    ...range,
    with: range === last ? [summaryNote(ask)] : [],
    reason: "summarize",
  }));
}

/** Returns the messages with selected content, except for those kept at the start and the end. */
function selectedMessages(view: View, { selection, summarization }: BatchPlan): number[] {
  const isSelected = selector(view, selection);
  const candidates = view.contents().contents.map(candidateOf);
  const withContent = new Set(candidates.map(({ message }) => message));
  const selected = new Set(candidates.filter(isSelected).map(({ message }) => message));
  const found = [...view.conversation.messages.entries()]
    .filter(([index, message]) =>
      withContent.has(index) ? selected.has(index) : isSelected(emptyCandidate(index, message)),
    )
    .map(([index]) => index);
  return found.slice(summarization.keepFirst, found.length - summarization.keepLast);
}

/** A message without content that may be cut, such as reasoning alone. */
function emptyCandidate(message: number, { role }: Message): Candidate {
  return { message, block: 0, role, level: "text", isError: false, chars: 0 };
}

function staysWhole(view: View, index: number, { preserveUserMessages }: BatchPlan): boolean {
  if (index === view.latestUserMessage || index === view.firstUserMessage) return true;
  if (preserveUserMessages && isUserMessage(view, index)) return true;
  const isSystem = view.conversation.messages[index]?.role === "system";
  return isSystem && isFresh(view, index);
}

/** Whether a message is not a summary. */
function isFresh(view: View, index: number): boolean {
  return earlierSummary(view, index) === undefined;
}

function isUserMessage(view: View, index: number): boolean {
  return view.contents().userAuthored[index] === true && !view.isMade(index);
}

/** Joins adjacent messages into ranges that split no tool pair. */
function removedRanges(view: View, removed: ReadonlySet<number>): Range[] {
  return rangesOf(removed)
    .map(({ from, to }) => ({ from: nearestCut(view.cuts(), from, "up"), to: nearestCut(view.cuts(), to, "down") }))
    .filter(({ from, to }) => from < to);
}

/** The input of a selection: a content, or an image or document in a tool result. */
export interface Candidate {
  /** Position in the conversation that the pass sees. */
  readonly message: number;
  readonly block: number;
  readonly role: Role;
  readonly level: Level;
  readonly toolName?: string;
  readonly isError: boolean;
  readonly chars: number;
}

export function candidateOf({ at, role, level, use, text }: Content): Candidate {
  const tool = use === undefined ? {} : { toolName: use.name };
  const { message, block } = at;
  return { message, block, role, level, ...tool, isError: use?.isError ?? false, chars: text.length };
}

/** Returns the images and documents in tool results; their length counts as infinite. */
export function mediaCandidates(view: View): Candidate[] {
  const { messages } = view.conversation;
  const pairs = toolPairs(messages).pairs.flatMap(({ name, result }) =>
    result === undefined ? [] : [{ name, result }],
  );
  return pairs.flatMap(({ name, result }): Candidate[] => {
    const message = messages[result.message];
    const block = message?.blocks[result.block];
    if (message === undefined || block?.type !== "tool-result" || !block.content.some(isMedia)) return [];
    const { isError } = block;
    const chars = Number.POSITIVE_INFINITY;
    return [{ ...result, role: message.role, level: "result", toolName: name, isError, chars }];
  });
}

/** Returns a predicate for the candidates of a selection. */
export function selector(view: View, selection: Selection): (candidate: Candidate) => boolean {
  const { length } = view.conversation.messages;
  switch (selection.type) {
    case "preserve_recent":
      return ({ message }) => message < length - selection.keepRecentCount;
    case "preserve_percent":
      return ({ message }) => message < length - Math.ceil((length * selection.keepPercentage) / 100);
    case "custom":
      return (candidate) => CONDITIONS.every((holds) => holds(candidate, selection, view));
    default:
      return selection satisfies never;
  }
}

type Custom = Extract<Selection, { type: "custom" }>;
type Condition = (candidate: Candidate, selection: Custom, view: View) => boolean;

/** Content levels by their names in configurations. */
const LEVEL_OF: Readonly<Record<(typeof CONTENT_TYPES)[number], Level>> = table({
  messageText: "text",
  toolParameters: "parameters",
  toolResults: "result",
});

const CONDITIONS: readonly Condition[] = [
  ({ role }, { roles }) => roles === undefined || roles.some((wanted) => wanted === role),
  ({ level }, { contentTypes }) => contentTypes === undefined || contentTypes.some((type) => LEVEL_OF[type] === level),
  ({ toolName }, { toolNames }) => toolNames === undefined || (toolName !== undefined && toolNames.includes(toolName)),
  ({ isError, level }, { errors }) => errors === undefined || (isError && level === "result") === (errors === "only"),
  ({ chars }, { minChars, maxChars }) => isWithin(chars, minChars, maxChars),
  ({ message }, { minAge, maxAge }, { conversation }) =>
    isWithin(conversation.messages.length - 1 - message, minAge, maxAge),
  ({ message }, { fromIndex, toIndex }, view) => isWithin(view.rawIndex(message), fromIndex, toIndex),
];

function isWithin(value: number, least = 0, most = Number.POSITIVE_INFINITY): boolean {
  return least <= value && value <= most;
}

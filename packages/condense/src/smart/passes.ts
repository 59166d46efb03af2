import { type Message, type Role, table, toolPairs } from "@longhaul/conversation";
import type { Content, Level } from "../content/content.ts";
import { nearestCut } from "../content/cuts.ts";
import { isMedia } from "../content/media.ts";
import type { Pass } from "../contract/strategy.ts";
import type { View } from "../contract/view.ts";
import { planCover } from "../coverage/cover.ts";
import type { ScopeShares } from "../coverage/scope.ts";
import type { Edit } from "../edits/edit.ts";
import { obsoletePass } from "../passes/obsolete.ts";
import { planOldestFirst } from "../passes/oldest-first.ts";
import type { Operation } from "../passes/operations.ts";
import { consolidatePass, referencesPass } from "../passes/references.ts";
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

/** The passes of a configuration, with the prelude around them. Each runs only while the target is not reached. */
export function smartPasses({ losslessPrelude, preserveUserMessages, passes }: SmartConfig): Pass[] {
  const { before, after } = preludeOf(losslessPrelude);
  const own = passes.map((pass) => ({
    id: pass.id,
    name: pass.name,
    plan: (view: View) => planPass(view, pass, preserveUserMessages),
    applies: (view: View) => isDue(view, pass.execution),
  }));
  return [...before.map(whileOver), ...own, ...after];
}

function planPass(view: View, pass: PassConfig, preserveUserMessages: boolean): Edit[] {
  switch (pass.mode) {
    case "individual":
      return planIndividual(view, { ...pass, preserveUserMessages });
    case "batch": {
      if (pass.batchConfig.operation === "keep") return [];
      const { summarizationConfig: summarization } = pass.batchConfig;
      return planBatch(view, { selection: pass.selection, summarization, preserveUserMessages });
    }
    case "cover":
      return planCover(view, sharesOf(pass.coverConfig, preserveUserMessages));
    default:
      return pass satisfies never;
  }
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

/** What stands before the passes of a configuration and what stands behind them. */
export interface Frame {
  readonly before: readonly Pass[];
  readonly after: readonly Pass[];
}

/**
 * The lossless prelude. It only tells whether more is needed: where it reaches the target it stands, else the passes begin with the raw
 * texts and references are made on what they leave. What is obsolete goes first and for good.
 */
export function preludeOf({ enabled, operations }: PreludeConfig): Frame {
  if (!enabled) return { before: [], after: [] };
  const obsolete = operations.removeObsoleteState ? [obsoletePass] : [];
  const lossless = losslessPass(operations);
  if (lossless === undefined) return { before: obsolete, after: [] };
  const trial: Pass = { ...lossless, id: "prelude", name: "Lossless prelude", isTrial: true };
  return { before: [...obsolete, trial], after: [lossless] };
}

function losslessPass({ deduplicateFileReads, consolidateToolResults }: PreludeConfig["operations"]): Pass | undefined {
  if (deduplicateFileReads) return referencesPass({ references: "results", consolidates: consolidateToolResults });
  return consolidateToolResults ? consolidatePass : undefined;
}

/** What an individual pass needs to know. */
interface IndividualPlan {
  readonly selection: Selection;
  readonly individualConfig: IndividualConfig;
  readonly preserveUserMessages: boolean;
}

/** Plans the operations on every selected content by itself, oldest first, until the target is reached. */
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

/** Summaries and notes of ours, what the system says, and the user's own words, always the latest ones. */
function isProtected(content: Content, view: View, { preserveUserMessages }: IndividualPlan): boolean {
  const { role, level, at } = content;
  if (role === "system" || view.isMade(at.message)) return true;
  if (level !== "text" || role !== "user") return false;
  return preserveUserMessages || at.message === view.latestUserMessage;
}

/** What a batch pass needs to know. */
interface BatchPlan {
  readonly selection: Selection;
  readonly summarization: Summarization;
  readonly preserveUserMessages: boolean;
}

/**
 * Puts one summary in the place of all selected messages. What stays between them keeps its order, and the summary stands behind it, where
 * the last of them stood. The user's messages are shown to the summariser even where they stay.
 */
export function planBatch(view: View, plan: BatchPlan): Edit[] {
  const selected = selectedMessages(view, plan);
  const stretches = stretchesOf(view, new Set(selected.filter((index) => !staysWhole(view, index, plan))));
  const last = stretches.at(-1);
  const gone = new Set(stretches.flatMap(indexesOf));
  if (last === undefined || ![...gone].some((index) => isFresh(view, index))) return [];
  const told = selected.filter((index) => gone.has(index) || isUsers(view, index));
  const { prompt, profile, maxTokens } = plan.summarization;
  const wish = summaryOptionsOf({ prompt, profile, maxSummaryTokens: maxTokens }, SUMMARY_PROMPT);
  const ask = askAboutMessages(view, told, wish);
  if (ask === undefined) return [];
  return stretches.map((stretch) => ({
    kind: "replace",
    ...stretch,
    with: stretch === last ? [summaryNote(ask)] : [],
    reason: "summarize",
  }));
}

/** The messages that hold anything selected, without those kept at the start and at the end. */
function selectedMessages(view: View, { selection, summarization }: BatchPlan): number[] {
  const isSelected = selector(view, selection);
  const candidates = view.contents().contents.map(candidateOf);
  const worded = new Set(candidates.map(({ message }) => message));
  const selected = new Set(candidates.filter(isSelected).map(({ message }) => message));
  const found = [...view.conversation.messages.entries()]
    .filter(([index, message]) => (worded.has(index) ? selected.has(index) : isSelected(wordless(index, message))))
    .map(([index]) => index);
  return found.slice(summarization.keepFirst, found.length - summarization.keepLast);
}

/** A message without any content that could be cut, such as reasoning alone. */
function wordless(message: number, { role }: Message): Candidate {
  return { message, block: 0, role, level: "text", isError: false, chars: 0 };
}

function staysWhole(view: View, index: number, { preserveUserMessages }: BatchPlan): boolean {
  if (index === view.latestUserMessage || (preserveUserMessages && isUsers(view, index))) return true;
  const isSystem = view.conversation.messages[index]?.role === "system";
  return isSystem && isFresh(view, index);
}

/** Whether a message is not yet told by a summary. */
function isFresh(view: View, index: number): boolean {
  return earlierSummary(view, index) === undefined;
}

function isUsers(view: View, index: number): boolean {
  return view.contents().userAuthored[index] === true && !view.isMade(index);
}

/** Neighbouring messages that go, as stretches that split no tool pair. */
function stretchesOf(view: View, going: ReadonlySet<number>): Range[] {
  return rangesOf(going)
    .map(({ from, to }) => ({ from: nearestCut(view.cuts(), from, "up"), to: nearestCut(view.cuts(), to, "down") }))
    .filter(({ from, to }) => from < to);
}

/** What a selection looks at: a content, or an image or document in a tool result. */
export interface Candidate {
  /** Where it stands in the conversation that the pass sees. */
  readonly message: number;
  readonly block: number;
  readonly role: Role;
  readonly level: Level;
  readonly toolName?: string;
  readonly isError: boolean;
  readonly chars: number;
}

/** A content as a selection looks at it. */
export function candidateOf({ at, role, level, use, text }: Content): Candidate {
  const tool = use === undefined ? {} : { toolName: use.name };
  const { message, block } = at;
  return { message, block, role, level, ...tool, isError: use?.isError ?? false, chars: text.length };
}

/** The images and documents that stand in tool results, each whole and so longer than any text. */
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

/** Says which candidates a selection picks in the conversation of a view. */
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

/** The levels by the names that configurations use. */
export const LEVEL_OF: Readonly<Record<(typeof CONTENT_TYPES)[number], Level>> = table({
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

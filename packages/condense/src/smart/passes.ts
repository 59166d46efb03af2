import type { Message } from "@longhaul/conversation";
import type { Content } from "../content/content.ts";
import { nearestCut } from "../content/cuts.ts";
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
import { type Candidate, candidateOf, LEVEL_OF, mediaCandidates, selector } from "./select.ts";

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

import type { Message } from "@longhaul/conversation";
import type { Content } from "../content/content.ts";
import { actionOf } from "../content/tool-action.ts";
import type { View } from "../contract/view.ts";
import { type Draft, openDraft } from "../edits/draft.ts";
import type { Edit } from "../edits/edit.ts";
import { sum } from "../edits/lists.ts";
import { isShortOutcome } from "../facts/failures.ts";
import { apply } from "../rewrite/apply.ts";
import { type Range, tokensOf } from "../summaries/ranges.ts";
import { recencyOf } from "./attention.ts";
import { CandidateLines, type Group } from "./candidate-lines.ts";
import { type Candidates, openChoice } from "./choose.ts";
import type { EditFate } from "./edit-fates.ts";
import { isRoutine, markIn, planOmissions } from "./omissions.ts";
import { type Scope, type ScopeShares, scopeOf } from "./scope.ts";
import { openReader, type Reader, rememberVocabulary, spansIn } from "./vocabulary.ts";

/** Default shares of content that is kept verbatim. */
const DEFAULT_SHARES: ScopeShares = { tail: 0.3, newest: 1, user: 0.25 };

/**
 * Keeps the latest messages, and of the older ones the lines that together cover most of what will likely be needed again, as many as fit
 * the target. The user's text has priority; tool pairs are kept or dropped whole.
 */
export function planCover(view: View, shares: ScopeShares = DEFAULT_SHARES, shrink?: Shrink): Edit[] {
  if (view.tokens <= view.limits.targetTokens) return [];
  const fixedTokens = view.tokens - sum(view.messageTokens);
  const messageBudget = Math.max(0, view.limits.targetTokens - fixedTokens);
  const scope = scopeOf(view, withNewest(shares, view, messageBudget), messageBudget);
  const candidates = gatherCandidates(view, scope);
  const tailTokens = sum(view.messageTokens.slice(scope.tailFrom));
  const choose = openChoice(candidates);
  const plan = (budgetTokens: number) => planOmissions(view, { scope, candidates, choice: choose(budgetTokens) });
  const startTokens = messageBudget - tailTokens - keptTokens(candidates.groups);
  const fit = (extraTokens: number) =>
    fitTarget(view, plan, {
      targetTokens: view.limits.targetTokens + extraTokens,
      startTokens: startTokens + extraTokens,
    });
  if (shrink === undefined) return fit(0);
  const extraTokens = savedBy(shrink, draftAfter(view, plan(startTokens)), view);
  if (extraTokens < WORTH_SHARE * view.limits.targetTokens) return fit(0);
  const edits = fit(extraTokens);
  const after = shrink(draftAfter(view, edits)).conversation;
  return view.counter.countConversation(after) <= view.limits.targetTokens ? edits : fit(0);
}

/** If the task and the newest step take this share of the room, they get all of it. */
const CROWDED = 0.7;
/** Largest share of a newest step that does not fit beside the task. */
const LARGE_NEWEST = 0.4;

/** Gives the newest step as much room as it needs beside the task: the model has not read the newest results yet. */
function withNewest(shares: ScopeShares, view: View, messageBudgetTokens: number): ScopeShares {
  const newestFrom = view.conversation.messages.findLastIndex((_, index) => view.cuts()[index] === true);
  const newestTokens = sum(view.messageTokens.slice(Math.max(0, newestFrom)));
  const isApart = view.firstUserMessage < newestFrom;
  const neededTokens = newestTokens + (isApart ? (view.messageTokens[view.firstUserMessage] ?? 0) : 0);
  const leftShare = 1 - neededTokens / messageBudgetTokens;
  if (!(leftShare >= 0))
    return shares.newest > 1 ? shares : { ...shares, newest: Math.min(shares.newest, LARGE_NEWEST) };
  const isWhole = newestTokens <= shares.newest * messageBudgetTokens || leftShare < 1 - CROWDED;
  return isWhole ? { ...shares, newest: 1, user: Math.min(shares.user, leftShare / 2) } : shares;
}

/** Applies the passes that follow and lose nothing, to see how much smaller they make a draft. */
export type Shrink = (draft: Draft) => Draft;

/** If later passes save at least this share of the target, more lines are kept. */
const WORTH_SHARE = 0.04;
/** Share of the saved tokens that is filled: other lines may save less. */
const REFILL = 0.9;

function savedBy(shrink: Shrink, draft: Draft, { counter }: View): number {
  const saved = counter.countConversation(draft.conversation) - counter.countConversation(shrink(draft).conversation);
  return Math.max(0, saved * REFILL);
}

/** Estimates per line do not add up exactly, so the budget is corrected by the plan's real size. */
const CORRECTIONS = 5;
/** A plan that uses this share of the target is good enough. */
const GOOD_USE = 0.97;
/** Share of the target that the first plan aims at, to rarely overshoot. */
const FIRST_AIM = 0.985;
/** A full correction would overshoot about every other time. */
const CORRECTION = { up: 0.9, down: 1.1 } as const;

/** Corrects the budget until the plan fits and uses the target well; never beyond a budget that is known to be too large. */
function fitTarget(
  view: View,
  plan: (budgetTokens: number) => Edit[],
  { targetTokens, startTokens }: { readonly targetTokens: number; readonly startTokens: number },
): Edit[] {
  let budget = startTokens - (1 - FIRST_AIM) * targetTokens;
  let fitting: { readonly budget: number; readonly edits: Edit[] } | undefined;
  let tooLarge = Number.POSITIVE_INFINITY;
  let edits: Edit[] = [];
  for (let attempt = 0; attempt < CORRECTIONS; attempt++) {
    edits = plan(budget);
    const tokens = tokensAfter(view, edits);
    if (tokens > targetTokens) tooLarge = budget;
    else fitting = { budget, edits };
    if (tokens <= targetTokens && tokens >= GOOD_USE * targetTokens) break;
    const off = targetTokens - tokens;
    const corrected = budget + off * (off > 0 ? CORRECTION.up : CORRECTION.down);
    const isKnown = corrected >= tooLarge || corrected <= (fitting?.budget ?? Number.NEGATIVE_INFINITY);
    budget = isKnown && fitting !== undefined ? (fitting.budget + tooLarge) / 2 : corrected;
  }
  return fitting?.edits ?? edits;
}

function tokensAfter(view: View, edits: readonly Edit[]): number {
  return view.counter.countConversation(draftAfter(view, edits).conversation);
}

function draftAfter(view: View, edits: readonly Edit[]): Draft {
  return apply(openDraft(view.conversation), edits, { answers: [], hash: view.hash });
}

/** One-line arguments up to this length identify a call and stay with it. */
const SUBJECT_CHARACTERS = 200;
/** Commands up to this length stay with their step. */
const COMMAND_CHARACTERS = 400;

/** Collects the candidates in the messages before the tail: a group per step, and the lines of its long texts. */
export function gatherCandidates(view: View, scope: Scope): Candidates {
  const { messages } = view.conversation;
  const { contents, ...rest } = view.contents();
  const frames = framesIn(contents, messages);
  const reader = openReader({ contents: [...contents, ...frames], ...rest }, messages.length);
  const lines = new CandidateLines();
  const groups = scope.steps.map((step) => ({
    tokens: frameTokens(view, scope, step),
    terms: [],
    isKept: scope.isKept(step),
  }));
  const gathering: GatherContext = { view, reader, covered: [], lines, groups };
  const stepOf = stepLookup(scope);
  const isRepeated = repeatsIn(contents);
  for (const frame of frames) {
    const step = stepOf[frame.at.message];
    if (step === undefined) coverAll(frame, gathering);
    else addToGroup(frame, step, gathering);
  }
  for (const content of contents) {
    const step = stepOf[content.at.message];
    if (step === undefined || scope.isVerbatim(content)) coverAll(content, gathering);
    else if (isSubject(content, isRepeated)) addToGroup(content, step, gathering);
    else if (content.text !== "") addLines(content, step, gathering);
  }
  rememberVocabulary(messages, reader.vocabulary);
  return { lines, groups, probabilities: reader.vocabulary.probabilities(), covered: gathering.covered };
}

interface GatherContext {
  readonly view: View;
  readonly reader: Reader;
  readonly covered: number[];
  readonly lines: CandidateLines;
  readonly groups: { tokens: number; terms: number[]; isKept: boolean }[];
}

/** Returns the step of each message before the tail. */
function stepLookup({ steps, tailFrom }: Scope): Int32Array {
  const lookup = new Int32Array(tailFrom);
  for (const [step, { from, to }] of steps.entries()) lookup.fill(step, from, to);
  return lookup;
}

/** Texts that are never split into lines and stay with their step: names, commands, and short outcomes that say something. */
function isSubject(content: Content, isRepeated: (text: string) => boolean): boolean {
  const { level, text, use } = content;
  if (level === "result") return isShortOutcome(content) && !isRoutine(content, isRepeated(text));
  if (level !== "parameters") return false;
  if (text.length <= SUBJECT_CHARACTERS && !text.includes("\n")) return true;
  return text.length <= COMMAND_CHARACTERS && use !== undefined && actionOf(use) === "command";
}

/** Returns whether a text is the result of several tool uses. */
function repeatsIn(contents: readonly Content[]): (text: string) => boolean {
  const uses = new Map<string, number>();
  for (const content of contents)
    if (isShortOutcome(content)) uses.set(content.text, (uses.get(content.text) ?? 0) + 1);
  return (text) => (uses.get(text) ?? 0) > 1;
}

/** Tokens of a step without media that are always dropped; its lines are subtracted one by one. */
function frameTokens(view: View, scope: Scope, step: Range): number {
  const media = sum(scope.mediaToDrop(step).map(({ block }) => view.counter.countBlock(block)));
  return tokensOf(view, step) - media;
}

function coverAll(content: Content, { covered, reader }: GatherContext): void {
  for (const span of spansIn(content)) covered.push(...reader.read(content, span));
}

function addToGroup(content: Content, step: number, { groups, reader }: GatherContext): void {
  groups[step]?.terms.push(...reader.read(content));
}

/** A mark costs more than its tokens: text with many gaps is hard to read. */
const MARK_WEIGHT = 4;

function addLines(content: Content, step: number, { view, groups, lines, reader }: GatherContext): void {
  const tokens = contentTokens(content, view);
  const ownTokens = view.counter.countText(markIn(content));
  const markTokens = MARK_WEIGHT * ownTokens;
  const tokensPerCharacter = tokens / content.text.length;
  const text = { content, group: step, tokensPerCharacter, markTokens };
  const fate = fateOf(content, reader);
  if (fate === undefined) {
    const recency = recencyOf(content.at.message, view.conversation.messages.length);
    lines.add({ ...text, recency }, reader);
  } else lines.add({ ...text, recency: 0, fate }, NO_TERMS);
  const group = groups[step];
  if (group !== undefined) group.tokens += wholeMarkTokens(content, ownTokens) - tokens;
}

/** Lines without terms are never chosen. */
const NO_TERMS: Pick<Reader, "read"> = { read: () => [] };

/** Returns the fate of the edit whose text a content is: the change of one that failed, or all of one that is not left. */
function fateOf({ use, level }: Content, reader: Reader): EditFate | undefined {
  const fate = use === undefined ? undefined : reader.fateOf(use);
  return level === "parameters" || fate === "replaced" ? fate : undefined;
}

/** Tokens of the mark for a whole result or argument, such as `[19 lines left out]`. */
const WHOLE_MARK_TOKENS = 6;

function wholeMarkTokens({ level }: Content, markTokens: number): number {
  return level === "text" ? markTokens : WHOLE_MARK_TOKENS;
}

/** Longer texts are counted by a sample of this many characters from either end. */
const SAMPLE_CHARACTERS = 700;

function contentTokens(content: Content, { counter }: View): number {
  const { text } = content;
  if (text.length <= 2 * SAMPLE_CHARACTERS) return counter.countText(asRead(content, text));
  const sample = text.slice(0, SAMPLE_CHARACTERS) + text.slice(-SAMPLE_CHARACTERS);
  return (counter.countText(asRead(content, sample)) * text.length) / sample.length;
}

/** Most models read arguments as JSON, where quotes and line ends take two characters. */
function asRead({ at, level }: Content, text: string): string {
  return level === "parameters" && at.path.length > 0 ? JSON.stringify(text) : text;
}

/** Returns the tokens of groups that are always kept. */
export function keptTokens(groups: readonly Group[]): number {
  return sum(groups.filter(({ isKept }) => isKept).map(({ tokens }) => tokens));
}

/** Returns the text around contents: tags of XML calls, and announcements of their results. */
export function framesIn(contents: readonly Content[], messages: readonly Message[]): Content[] {
  const frames: Content[] = [];
  const inText = contents.filter(({ at, role }) => at.path.length === 0 && role !== "system");
  for (const [position, content] of inText.entries()) {
    const before = sameBlock(inText[position - 1], content) ? inText[position - 1]?.to : 0;
    frames.push(frame(content, messages, { from: before ?? 0, to: content.from }));
    if (sameBlock(inText[position + 1], content)) continue;
    frames.push(frame(content, messages, { from: content.to, to: Number.POSITIVE_INFINITY }));
  }
  return frames.filter(({ text }) => text.trim() !== "");
}

function sameBlock(other: Content | undefined, { at }: Content): boolean {
  return other?.at.message === at.message && other.at.block === at.block;
}

/** A frame counts as part of an assistant's call, or of a result in a user message. */
function frame(content: Content, messages: readonly Message[], { from, to }: { from: number; to: number }): Content {
  const { at, role } = content;
  const block = messages[at.message]?.blocks[at.block];
  const text = block?.type === "text" ? block.text.slice(from, to) : "";
  return { at, from, to: from + text.length, text, level: role === "assistant" ? "parameters" : "result", role };
}

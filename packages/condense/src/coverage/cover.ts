import type { Message } from "@longhaul/conversation";
import type { Content } from "../content/content.ts";
import type { View } from "../contract/view.ts";
import { openDraft } from "../edits/draft.ts";
import type { Edit } from "../edits/edit.ts";
import { sum } from "../edits/lists.ts";
import { apply } from "../rewrite/apply.ts";
import { type Range, tokensOf } from "../summaries/ranges.ts";
import { recencyOf } from "./attention.ts";
import { chooseLines, type Market } from "./choose.ts";
import { leaveOut, markIn } from "./left-out.ts";
import { type Scope, type ScopeShares, scopeOf } from "./scope.ts";
import { openReader, type Reader, stretchesIn } from "./sighting.ts";
import { type Group, Supply } from "./supply.ts";

/** How much stays as it is where nobody says otherwise. */
const DEFAULT_SHARES: ScopeShares = { tail: 0.3, newest: 0.4, user: 0.25 };

/**
 * Keeps the latest messages as they are, and of the older ones the lines that together say the most of what will likely be needed again,
 * as many as the target has room for. What the user said comes first; tool pairs stay whole or go whole.
 */
export function planCover(view: View, shares: ScopeShares = DEFAULT_SHARES): Edit[] {
  if (view.tokens <= view.limits.targetTokens) return [];
  const fixedTokens = view.tokens - sum(view.messageTokens);
  const messageBudget = Math.max(0, view.limits.targetTokens - fixedTokens);
  const scope = scopeOf(view, shares, messageBudget);
  const market = gatherLines(view, scope);
  const tailTokens = sum(view.messageTokens.slice(scope.tailFrom));
  const plan = (budgetTokens: number) => leaveOut(view, { scope, market, choice: chooseLines(market, budgetTokens) });
  return fitTarget(view, plan, messageBudget - tailTokens - keptTokens(market.groups));
}

/** Estimates per line don't add up exactly, so the budget is corrected by what the plan really comes to. */
const CORRECTIONS = 4;
/** A plan that uses this share of the target is good enough. */
const GOOD_USE = 0.97;
/** What the first plan aims at, so that it seldom overshoots. */
const FIRST_AIM = 0.985;
/** Going the whole way would overshoot as often as not. */
const CORRECTION = { up: 0.9, down: 1.1 } as const;

function fitTarget(view: View, plan: (budgetTokens: number) => Edit[], startTokens: number): Edit[] {
  const { targetTokens } = view.limits;
  let budget = startTokens - (1 - FIRST_AIM) * targetTokens;
  let best: Edit[] | undefined;
  let edits: Edit[] = [];
  for (let attempt = 0; attempt < CORRECTIONS; attempt++) {
    edits = plan(budget);
    const tokens = tokensAfter(view, edits);
    if (tokens > targetTokens && best !== undefined) break;
    if (tokens <= targetTokens) best = edits;
    if (tokens <= targetTokens && tokens >= GOOD_USE * targetTokens) break;
    const off = targetTokens - tokens;
    budget += off * (off > 0 ? CORRECTION.up : CORRECTION.down);
  }
  return best ?? edits;
}

function tokensAfter(view: View, edits: readonly Edit[]): number {
  const draft = apply(openDraft(view.conversation), edits, { answers: [], hash: view.hash });
  return view.counter.countConversation(draft.conversation);
}

/** Arguments on one line up to this length say what a call is about, and stay with it. */
const SUBJECT_CHARACTERS = 120;

/** Gathers what can be chosen of the messages before the tail: a group for each step, and the lines of its long texts. */
export function gatherLines(view: View, scope: Scope): Market {
  const { messages } = view.conversation;
  const { contents, ...rest } = view.contents();
  const frames = framesIn(contents, messages);
  const reader = openReader({ contents: [...contents, ...frames], ...rest }, messages.length);
  const supply = new Supply();
  const groups = scope.steps.map((step) => ({
    tokens: frameTokens(view, scope, step),
    terms: [],
    isKept: scope.isKept(step),
  }));
  const gathering: Gathering = { view, reader, covered: [], supply, groups };
  const stepOf = stepLookup(scope);
  for (const frame of frames) {
    const step = stepOf[frame.at.message];
    if (step === undefined) coverAll(frame, gathering);
    else addToGroup(frame, step, gathering);
  }
  for (const content of contents) {
    const step = stepOf[content.at.message];
    if (step === undefined || scope.isVerbatim(content)) coverAll(content, gathering);
    else if (isSubject(content)) addToGroup(content, step, gathering);
    else if (content.text !== "") addLines(content, step, gathering);
  }
  return { supply, groups, chances: reader.vocabulary.chances(), covered: gathering.covered };
}

interface Gathering {
  readonly view: View;
  readonly reader: Reader;
  readonly covered: number[];
  readonly supply: Supply;
  readonly groups: { tokens: number; terms: number[]; isKept: boolean }[];
}

/** The step of each message before the tail. */
function stepLookup({ steps, tailFrom }: Scope): Int32Array {
  const lookup = new Int32Array(tailFrom);
  for (const [step, { from, to }] of steps.entries()) lookup.fill(step, from, to);
  return lookup;
}

/** Texts that never go line by line, and stay where their step stays. */
function isSubject({ level, text }: Content): boolean {
  return level === "parameters" && text.length <= SUBJECT_CHARACTERS && !text.includes("\n");
}

/** What a step costs without the pictures that go in any case; its lines are taken off one by one. */
function frameTokens(view: View, scope: Scope, step: Range): number {
  const media = sum(scope.mediaToDrop(step).map(({ block }) => view.counter.countBlock(block)));
  return tokensOf(view, step) - media;
}

function coverAll(content: Content, { covered, reader }: Gathering): void {
  for (const stretch of stretchesIn(content)) covered.push(...reader.read(content, stretch));
}

function addToGroup(content: Content, step: number, { groups, reader }: Gathering): void {
  groups[step]?.terms.push(...reader.read(content));
}

function addLines(content: Content, step: number, { view, groups, supply, reader }: Gathering): void {
  const tokens = contentTokens(content, view);
  const markTokens = view.counter.countText(markIn(content));
  const recency = recencyOf(content.at.message, view.conversation.messages.length);
  const tokensPerCharacter = tokens / content.text.length;
  supply.add({ content, group: step, tokensPerCharacter, recency, markTokens }, reader);
  const group = groups[step];
  if (group !== undefined) group.tokens += markTokens - tokens;
}

/** Longer texts are counted by a sample of this many characters from either end. */
const SAMPLE_CHARACTERS = 700;

function contentTokens(content: Content, { counter }: View): number {
  const { text } = content;
  if (text.length <= 2 * SAMPLE_CHARACTERS) return counter.countText(asRead(content, text));
  const sample = text.slice(0, SAMPLE_CHARACTERS) + text.slice(-SAMPLE_CHARACTERS);
  return (counter.countText(asRead(content, sample)) * text.length) / sample.length;
}

/** Most models read arguments as JSON, in which every quote and line end takes a second character. */
function asRead({ at, level }: Content, text: string): string {
  return level === "parameters" && at.path.length > 0 ? JSON.stringify(text) : text;
}

/** Tokens of the groups that are kept in any case. */
export function keptTokens(groups: readonly Group[]): number {
  return sum(groups.filter(({ isKept }) => isKept).map(({ tokens }) => tokens));
}

/** What stands around the contents of texts: the tags of calls written as XML, and the announcements of their results. */
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

/** A frame counts as part of the call that an assistant makes, or of the answer that a user's message brings. */
function frame(content: Content, messages: readonly Message[], { from, to }: { from: number; to: number }): Content {
  const { at, role } = content;
  const block = messages[at.message]?.blocks[at.block];
  const text = block?.type === "text" ? block.text.slice(from, to) : "";
  return { at, from, to: from + text.length, text, level: role === "assistant" ? "parameters" : "result", role };
}

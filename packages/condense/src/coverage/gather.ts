import type { Content } from "../content.ts";
import type { Range } from "../ranges.ts";
import type { View } from "../view.ts";
import { recencyOf } from "./attention.ts";
import type { Market } from "./choose.ts";
import { framesIn } from "./frames.ts";
import { markIn } from "./marks.ts";
import type { Scope } from "./scope.ts";
import { sightTerms, termsIn, unitsOf } from "./sighting.ts";
import { type Group, Supply } from "./supply.ts";
import type { Terms } from "./terms.ts";

/** Arguments on one line up to this length say what a call is about, and stay with it. */
const SUBJECT_CHARACTERS = 120;

/** Gathers what can be chosen of the messages before the tail: a group for each step, and the lines of its long texts. */
export function gatherLines(view: View, scope: Scope): Market {
  const { messages } = view.conversation;
  const { contents, ...rest } = view.contents();
  const frames = framesIn(contents, messages);
  const terms = sightTerms({ contents: [...contents, ...frames], ...rest }, messages.length);
  const covered = new Uint8Array(terms.size);
  const supply = new Supply();
  const groups = scope.steps.map((step) => ({
    tokens: frameTokens(view, scope, step),
    terms: [],
    isKept: scope.isKept(step),
  }));
  const gathering: Gathering = { view, terms, covered, supply, groups };
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
  return { supply, groups, chances: terms.chances(), covered };
}

interface Gathering {
  readonly view: View;
  readonly terms: Terms;
  readonly covered: Uint8Array;
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
function frameTokens(view: View, scope: Scope, { from, to }: Range): number {
  const media = scope.mediaToDrop({ from, to }).reduce((sum, { block }) => sum + view.counter.countBlock(block), 0);
  return view.messageTokens.slice(from, to).reduce((sum, tokens) => sum + tokens, 0) - media;
}

function coverAll(content: Content, { covered, terms }: Gathering): void {
  for (const { from, to } of unitsOf(content)) {
    for (const term of termsIn(content.text.slice(from, to), terms)) covered[term] = 1;
  }
}

function addToGroup(content: Content, step: number, { groups, terms }: Gathering): void {
  groups[step]?.terms.push(...termsIn(content.text, terms));
}

function addLines(content: Content, step: number, { view, groups, supply, terms }: Gathering): void {
  const tokens = tokensOf(content, view);
  const markTokens = view.counter.countText(markIn(content));
  const recency = recencyOf(content.at.message, view.conversation.messages.length);
  const tokensPerCharacter = tokens / content.text.length;
  supply.add({ content, group: step, tokensPerCharacter, recency, markTokens }, terms);
  const group = groups[step];
  if (group !== undefined) group.tokens += markTokens - tokens;
}

/** Most models read arguments as JSON, in which every quote and line end takes a second character. */
function tokensOf({ at, level, text }: Content, { counter }: View): number {
  return counter.countText(level === "parameters" && at.path.length > 0 ? JSON.stringify(text) : text);
}

/** Tokens of the groups that are kept in any case. */
export function keptTokens(groups: readonly Group[]): number {
  return groups.reduce((sum, { isKept, tokens }) => sum + (isKept ? tokens : 0), 0);
}

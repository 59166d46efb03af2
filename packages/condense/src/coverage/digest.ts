import { type Message, textMessage } from "@longhaul/conversation";
import type { TokenCounter } from "@longhaul/models";
import { withoutClientTags } from "../content/client-tags.ts";
import type { Content, Contents, ToolUse } from "../content/content.ts";
import { decompose } from "../content/contents.ts";
import { withoutTerminalCodes } from "../content/plain-output.ts";
import { toolSubject } from "../content/tool-action.ts";
import type { Answer, Ask } from "../edits/edit.ts";
import { groupBy, sum } from "../edits/lists.ts";
import { blockKey } from "../edits/text-position.ts";
import { isTodoList, withLatestLists } from "../facts/fact.ts";
import { isIntent, isReport, withoutNextSteps } from "../facts/findings.ts";
import { workFacts } from "../facts/work.ts";
import { countOf } from "../passes/marks.ts";
import { recencyOf } from "./attention.ts";
import { CandidateLines } from "./candidate-lines.ts";
import { type Candidates, type LineChoice, openChoice } from "./choose.ts";
import { identifiersIn } from "./identifiers.ts";
import { openReader, type Reader, spansIn } from "./vocabulary.ts";

/** Largest share of its input that a summary takes, so that it saves something. */
const SHARE_OF_INPUT = 0.5;

/**
 * Answers an ask without a model: quotes the lines that will likely be needed, within the limit of the ask, except from messages that stay
 * in the conversation. Deterministic, and never empty if there is any text.
 */
export function answerOffline(ask: Ask, counter: TokenCounter): Extract<Answer, { kind: "text" }> {
  const earlier = ask.previous === undefined ? [] : [textMessage("user", ask.previous)];
  const messages = [...earlier, ...ask.messages];
  const kept = new Set(ask.kept?.map((index) => earlier.length + index));
  const inputTokens = sum(messages.map((message, index) => (kept.has(index) ? 0 : counter.countMessage(message))));
  const maxTokens = Math.min(ask.maxTokens, Math.ceil(inputTokens * SHARE_OF_INPUT));
  const { hasLaterList = false, hasLaterAnswer = false } = ask;
  const options = { maxTokens, counter, kept, hasLaterList, hasLaterAnswer };
  const state = stateAfter(messages, options);
  const room = maxTokens - (state === "" ? 0 : counter.countText(`\n${state}`));
  const text = explained((limit) => quote(messages, { ...options, maxTokens: limit }), room, counter);
  const withoutText = `${countOf(ask.messages.length - kept.size, "message")} without text.`;
  const whole = [text, ...(state === "" ? [] : [state])].join("\n");
  return { kind: "text", text: text === "" ? withoutText : whole, costUsd: 0 };
}

const GAP = "...";

/** Opens a digest with gaps, so that a reader knows what the dots mean. */
const EXPLANATION = `Excerpts from the conversation; ${GAP} marks lines left out.\n`;

/** Adds the explanation to a digest with gaps, if it leaves room for more than itself. */
function explained(make: (maxTokens: number) => string, maxTokens: number, counter: TokenCounter): string {
  const text = make(maxTokens);
  const room = maxTokens - counter.countText(EXPLANATION);
  const isShort = room < counter.countText(EXPLANATION);
  if (isShort || !text.split("\n").includes(GAP)) return text;
  const shorter = make(room);
  return shorter === "" ? text : `${EXPLANATION}${shorter}`;
}

/** Digests messages into a text of at most `maxTokens`: the lines that will likely be needed, labelled with their author. */
export function digest(messages: readonly Message[], maxTokens: number, counter: TokenCounter): string {
  return quote(messages, { maxTokens, counter, kept: new Set(), hasLaterList: false, hasLaterAnswer: false });
}

/** Precedes the facts below a digest. */
export const STATE_OF_SUMMARY = "State of the work after these messages; later ones may change it:";

/** Largest share of a digest for the facts. */
const STATE_SHARE = 0.2;

/** Returns the facts about the work: the changed and read files, the last checks, the latest failure, and findings. */
function stateAfter(messages: readonly Message[], { maxTokens, counter, kept }: QuoteOptions): string {
  const contents = decompose(messages).contents.filter(({ at }) => !kept.has(at.message));
  const limit = Math.floor(maxTokens * STATE_SHARE) - counter.countText(`\n${STATE_OF_SUMMARY}\n`);
  // Messages after these may have a newer list of to-dos.
  const facts = workFacts({ contents, keptText: "", omits: ["todos"], maxTokens: limit, counter });
  return facts.length === 0 ? "" : [STATE_OF_SUMMARY, ...facts].join("\n");
}

interface QuoteOptions {
  readonly maxTokens: number;
  readonly counter: TokenCounter;
  /** Indexes of messages that a reader sees anyway. */
  readonly kept: ReadonlySet<number>;
  /** Whether the lists of to-dos in the messages are outdated. */
  readonly hasLaterList: boolean;
  /** Whether the next steps in the messages are outdated. */
  readonly hasLaterAnswer: boolean;
}

function quote(messages: readonly Message[], options: QuoteOptions): string {
  const { maxTokens, counter, kept, hasLaterList, hasLaterAnswer } = options;
  const read = decompose(messages);
  const latest = hasLaterAnswer ? undefined : read.contents.findLast(isAnswer);
  const contents = withLatestLists(read.contents, hasLaterList).map((content) => {
    const plain = withoutTags(content);
    return isAnswer(content) && content !== latest ? { ...plain, text: withoutNextSteps(plain.text) } : plain;
  });
  const all = { ...read, contents };
  const isKept = ({ at }: Content) => kept.has(at.message);
  const reader = openReader(all, messages.length);
  const shown = { ...all, contents: all.contents.filter((content) => !isKept(content)) };
  const utterances = utterancesIn(shown, { maxTokens, counter, reader });
  const seen = all.contents.filter(isKept);
  const candidates = candidatesIn(utterances, { reader, messageCount: messages.length, counter, seen });
  const spent = sum(utterances.filter(({ isWhole }) => isWhole).map(({ tokens }) => tokens));
  const choose = openChoice(candidates);
  let budget = maxTokens - spent;
  for (let attempt = 0; attempt < CORRECTIONS; attempt++) {
    const text = render(utterances, candidates, choose(budget));
    const tokens = counter.countText(text);
    if (text === "") break;
    if (tokens <= maxTokens) return text;
    budget -= Math.ceil((tokens - maxTokens) * OVERSHOOT);
  }
  return firstWords(utterances, maxTokens, counter);
}

function isAnswer({ level, role }: Content): boolean {
  return level === "text" && role === "assistant";
}

function withoutTags(content: Content): Content {
  const text = content.level === "parameters" ? content.text : withoutTerminalCodes(withoutClientTags(content.text));
  return text === content.text ? content : { ...content, text };
}

/** How often the budget is corrected by the real size, and by which factor. */
const CORRECTIONS = 5;
const OVERSHOOT = 1.5;

/** A message's text, or a tool use with its arguments and result. */
interface Utterance {
  readonly label: string;
  readonly contents: readonly Content[];
  /** Whether it is kept whole. */
  readonly isWhole: boolean;
  readonly tokens: number;
}

/** Share of a digest for the user's text, shortest first. */
const USER_SHARE = 0.4;
/** Share of a digest for the assistant's texts: closing reports first, then short texts, which explain its steps, the latest first. */
const ASSISTANT_SHARE = 0.25;
const REPORT_TOKENS = 400;
/** Share of a digest for the latest to-do lists. */
const LIST_SHARE = 0.15;
const SHORT_TEXT_TOKENS = 100;

function utterancesIn(
  { contents, userAuthored }: Contents,
  { maxTokens, counter, reader }: Pick<QuoteOptions, "maxTokens" | "counter"> & { readonly reader: Reader },
): Utterance[] {
  const shown = contents.filter((content) => content.text.trim() !== "" && !isClientNote(content));
  const groups = groupBy(shown, ({ use, at }): ToolUse | string => use ?? blockKey(at));
  const fateOf = ({ use }: Content) => (use === undefined ? undefined : reader.fateOf(use));
  const left = [...groups.values()].filter(([first]) => first === undefined || fateOf(first) !== "replaced");
  const all = left.map((group): Utterance => {
    const hasFailed = group[0] !== undefined && fateOf(group[0]) === "failed";
    const label = labelOf(group[0], hasFailed);
    const told = hasFailed ? group.filter((content) => content.level === "result" || isInLabel(content)) : group;
    const tokens = 1 + counter.countText(label) + sum(told.map(({ text }) => counter.countText(text)));
    return { label, contents: told, isWhole: false, tokens };
  });
  const isOwn = ({ contents: [first] }: Utterance) =>
    first?.level === "text" && first.role === "user" && userAuthored[first.at.message] === true;
  const answers = rankAnswers(all, { userAuthored });
  const byLength = all.filter(isOwn).toSorted((a, b) => a.tokens - b.tokens);
  const lists = all.filter(({ contents: [first] }) => first?.use !== undefined && isTodoList(first.use));
  const whole = new Set([
    ...firstWithin(lists, maxTokens * LIST_SHARE),
    ...firstWithin(byLength, maxTokens * USER_SHARE),
    ...firstWithin(answers, maxTokens * ASSISTANT_SHARE),
  ]);
  return all.map((utterance) => ({ ...utterance, isWhole: whole.has(utterance) }));
}

/** Returns the assistant's texts that may be kept whole, in order of importance. */
function rankAnswers(utterances: readonly Utterance[], { userAuthored }: Pick<Contents, "userAuthored">): Utterance[] {
  const answers = utterances.filter(({ contents: [first] }) => first !== undefined && isAnswer(first));
  const turnOf = (answer: Utterance) => userAuthored.lastIndexOf(true, messageOf(answer));
  const last = new Set(new Map(answers.map((answer) => [turnOf(answer), answer])).values());
  const ranked = answers.toReversed().flatMap((answer) => {
    const text = answer.contents.map((content) => content.text).join("\n");
    const isClosing = last.has(answer) && isReport(text);
    if (answer.tokens > (isClosing ? REPORT_TOKENS : SHORT_TEXT_TOKENS)) return [];
    // A report that names much, and lately, says most about the work.
    const names = isClosing ? new Set(identifiersIn(text)).size * recencyOf(messageOf(answer), userAuthored.length) : 0;
    return [{ answer, rank: isClosing ? 0 : isIntent(text) ? 2 : 1, names }];
  });
  return ranked.sort((a, b) => a.rank - b.rank || b.names - a.names).map(({ answer }) => answer);
}

function messageOf({ contents: [first] }: Utterance): number {
  return first?.at.message ?? 0;
}

/** Notes added by clients are not part of the conversation. */
function isClientNote({ level, use }: Content): boolean {
  return level === "result" && use?.callMessage === -1 && use.input === null && use.name !== "";
}

/** Returns the utterances that fit together, in order of importance. */
function firstWithin(utterances: readonly Utterance[], maxTokens: number): Utterance[] {
  let left = maxTokens;
  return utterances.filter(({ tokens }) => {
    if (tokens > left) return false;
    left -= tokens;
    return true;
  });
}

/** Follows the label of an edit that failed; the edit's text is left out. */
const FAILED = " (failed)";

/** Longer commands are quoted by line. */
const LABEL_CHARACTERS = 120;

function labelOf(content: Content | undefined, hasFailed: boolean): string {
  if (content?.use === undefined) return content?.role === "assistant" ? "Assistant: " : "User: ";
  const subject = toolSubject(content.use)?.split("\n")[0]?.slice(0, LABEL_CHARACTERS) ?? "";
  const name = [content.use.name, subject].filter((part) => part !== "").join(" ");
  return `${name}${hasFailed ? FAILED : ""}: `;
}

interface DigestContext {
  readonly reader: Reader;
  readonly messageCount: number;
  readonly counter: TokenCounter;
  /** Contents that a reader sees anyway. */
  readonly seen: readonly Content[];
}

function candidatesIn(utterances: readonly Utterance[], context: DigestContext): Candidates {
  const { reader, messageCount, counter, seen } = context;
  const lines = new CandidateLines();
  const covered = seen.flatMap((content) => spansIn(content).flatMap((span) => reader.read(content, span)));
  const groups = utterances.map(({ label, contents, isWhole }, group) => {
    const terms: number[] = [];
    for (const content of contents) {
      if (isWhole) covered.push(...spansIn(content).flatMap((span) => reader.read(content, span)));
      else if (isInLabel(content)) terms.push(...reader.read(content));
      else lines.add({ content, group, ...measure(content, messageCount, counter) }, reader);
    }
    return { tokens: counter.countText(label), terms, isKept: isWhole };
  });
  return { lines, groups, probabilities: reader.vocabulary.probabilities(), covered };
}

const MARK_TOKENS = 2;

function measure({ text, at }: Content, messageCount: number, counter: TokenCounter) {
  return {
    tokensPerCharacter: counter.countText(text) / text.length,
    recency: recencyOf(at.message, messageCount),
    markTokens: MARK_TOKENS,
  };
}

/** Whether the label already contains an argument. */
function isInLabel({ level, text, use }: Content): boolean {
  return (
    level === "parameters" &&
    use !== undefined &&
    text.length <= LABEL_CHARACTERS &&
    toolSubject(use)?.includes(text) === true
  );
}

function render(utterances: readonly Utterance[], { lines }: Candidates, choice: LineChoice): string {
  const shownByGroup = new Map<number, string[]>();
  for (let unit = 0; unit < lines.size; unit++) {
    if (!choice.isChosen(unit)) continue;
    const { group, content, first } = lines.textOf(unit);
    const shown = shownByGroup.get(group) ?? [];
    const isGap = unit > first && !choice.isChosen(unit - 1);
    shown.push(...(isGap ? [GAP] : []), content.text.slice(lines.from(unit), lines.to(unit)).trimEnd());
    shownByGroup.set(group, shown);
  }
  return utterances
    .flatMap(({ label, contents, isWhole }, group) => {
      const isTool = contents[0]?.use !== undefined;
      const whole = contents.flatMap(({ text }) => (isTool ? text.trim().split("\n") : [text.trim()]));
      const shown = isWhole ? whole : shownByGroup.get(group);
      return shown === undefined
        ? []
        : [
            renderUtterance(
              label,
              shown.filter((line) => line.trim() !== ""),
            ),
          ];
    })
    .join("\n");
}

function renderUtterance(label: string, lines: readonly string[]): string {
  return lines.length === 1 ? `${label}${lines[0]?.trim()}` : [label.trimEnd(), ...lines].join("\n");
}

/** Fallback for a very small limit. */
function firstWords(utterances: readonly Utterance[], maxTokens: number, counter: TokenCounter): string {
  const [first] = utterances.flatMap(({ contents }) => contents);
  let text = first?.text.trim() ?? "";
  while (text.length > 1 && counter.countText(text) > maxTokens)
    text = text.slice(0, Math.floor(text.length * 0.7)).trimEnd();
  return text;
}

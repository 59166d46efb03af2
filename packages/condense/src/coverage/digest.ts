import { type Message, textMessage } from "@longhaul/conversation";
import type { TokenCounter } from "@longhaul/models";
import type { Content, Contents, ToolUse } from "../content/content.ts";
import { decompose } from "../content/contents.ts";
import { toolSubject } from "../content/tool-action.ts";
import type { Answer, Ask } from "../edits/edit.ts";
import { groupBy, sum } from "../edits/lists.ts";
import { blockKey } from "../edits/text-position.ts";
import { recencyOf } from "./attention.ts";
import { chooseLines, type Market } from "./choose.ts";
import { openReader, type Reader, stretchesIn } from "./sighting.ts";
import { Supply } from "./supply.ts";

/** A summary takes at most this share of what it stands for, or it would save nothing. */
const SHARE_OF_INPUT = 0.5;

/**
 * Answers an ask without a model: what was said is told in its own lines, those that will likely be needed, within the limit of the ask. The
 * same ask always gets the same answer, and it is never empty where anything was said.
 */
export function answerOffline(ask: Ask, counter: TokenCounter): Answer {
  const earlier = ask.previous === undefined ? [] : [textMessage("user", ask.previous)];
  const messages = [...earlier, ...ask.messages];
  const inputTokens = messages.reduce((sum, message) => sum + counter.countMessage(message), 0);
  const maxTokens = Math.min(ask.maxTokens, Math.ceil(inputTokens * SHARE_OF_INPUT));
  const text = digest(messages, maxTokens, counter);
  return { kind: "text", text: text === "" ? `${ask.messages.length} messages without words.` : text };
}

/** A text of at most so many tokens that says of messages what will likely be needed: who said what, line by line. */
export function digest(messages: readonly Message[], maxTokens: number, counter: TokenCounter): string {
  const contents = decompose(messages);
  const speeches = speechesIn(contents, maxTokens, counter);
  const reader = openReader(contents, messages.length);
  const market = marketOf(speeches, { reader, messageCount: messages.length, counter });
  const spent = sum(speeches.filter(({ isWhole }) => isWhole).map(({ tokens }) => tokens));
  let budget = maxTokens - spent;
  for (let attempt = 0; attempt < CORRECTIONS; attempt++) {
    const text = render(speeches, market, budget);
    const tokens = counter.countText(text);
    if (text === "") break;
    if (tokens <= maxTokens) return text;
    budget -= Math.ceil((tokens - maxTokens) * OVERSHOOT);
  }
  return firstWords(speeches, maxTokens, counter);
}

/** How often the budget is corrected by what the text really comes to, and how far beyond. */
const CORRECTIONS = 5;
const OVERSHOOT = 1.5;

/** What one side says at one time: words, or a use of a tool with its arguments and its result. */
interface Speech {
  readonly label: string;
  readonly contents: readonly Content[];
  /** Whether it is told whole. */
  readonly isWhole: boolean;
  readonly tokens: number;
}

/** Share of a digest that the user's own words may take as they are, the shortest first. */
const USER_SHARE = 0.4;

function speechesIn({ contents, userAuthored }: Contents, maxTokens: number, counter: TokenCounter): Speech[] {
  const told = contents.filter((content) => content.text.trim() !== "" && !isClientsOwn(content));
  const groups = groupBy(told, ({ use, at }): ToolUse | string => use ?? blockKey(at));
  const all = [...groups.values()].map((group): Speech => {
    const label = labelOf(group[0]);
    const tokens = 1 + counter.countText(label) + sum(group.map(({ text }) => counter.countText(text)));
    return { label, contents: group, isWhole: false, tokens };
  });
  const isOwn = ({ contents: [first] }: Speech) =>
    first?.level === "text" && first.role === "user" && userAuthored[first.at.message] === true;
  const whole = fitting(all.filter(isOwn), maxTokens * USER_SHARE);
  return all.map((speech) => ({ ...speech, isWhole: whole.has(speech) }));
}

/** Notes that a client adds on its own account tell nothing of what was said. */
function isClientsOwn({ level, use }: Content): boolean {
  return level === "result" && use?.callMessage === -1 && use.input === null && use.name !== "";
}

function fitting(speeches: readonly Speech[], maxTokens: number): ReadonlySet<Speech> {
  const chosen = new Set<Speech>();
  let tokens = 0;
  for (const speech of speeches.toSorted((a, b) => a.tokens - b.tokens)) {
    tokens += speech.tokens;
    if (tokens <= maxTokens) chosen.add(speech);
  }
  return chosen;
}

/** Longer commands are told by their lines. */
const LABEL_CHARACTERS = 120;

function labelOf(content: Content | undefined): string {
  if (content?.use === undefined) return content?.role === "assistant" ? "Assistant: " : "User: ";
  const subject = toolSubject(content.use)?.split("\n")[0]?.slice(0, LABEL_CHARACTERS) ?? "";
  return `${[content.use.name, subject].filter((part) => part !== "").join(" ")}: `;
}

interface Digesting {
  readonly reader: Reader;
  readonly messageCount: number;
  readonly counter: TokenCounter;
}

function marketOf(speeches: readonly Speech[], { reader, messageCount, counter }: Digesting): Market {
  const supply = new Supply();
  const covered: number[] = [];
  const groups = speeches.map(({ label, contents, isWhole }, group) => {
    const terms: number[] = [];
    for (const content of contents) {
      if (isWhole) covered.push(...stretchesIn(content).flatMap((stretch) => reader.read(content, stretch)));
      else if (isInLabel(content)) terms.push(...reader.read(content));
      else supply.add({ content, group, ...measure(content, messageCount, counter) }, reader);
    }
    return { tokens: counter.countText(label), terms, isKept: isWhole };
  });
  return { supply, groups, chances: reader.vocabulary.chances(), covered };
}

const MARK_TOKENS = 2;

function measure({ text, at }: Content, messageCount: number, counter: TokenCounter) {
  return {
    tokensPerCharacter: counter.countText(text) / text.length,
    recency: recencyOf(at.message, messageCount),
    markTokens: MARK_TOKENS,
  };
}

/** An argument that the label names already. */
function isInLabel({ level, text, use }: Content): boolean {
  return (
    level === "parameters" &&
    use !== undefined &&
    text.length <= LABEL_CHARACTERS &&
    toolSubject(use)?.includes(text) === true
  );
}

function render(speeches: readonly Speech[], market: Market, budgetTokens: number): string {
  const choice = chooseLines(market, budgetTokens);
  const { supply } = market;
  const lines = new Map<number, string[]>();
  for (let unit = 0; unit < supply.size; unit++) {
    if (!choice.isChosen(unit)) continue;
    const { group, content, first } = supply.textOf(unit);
    const told = lines.get(group) ?? [];
    const isGap = unit > first && !choice.isChosen(unit - 1);
    told.push(...(isGap ? ["…"] : []), content.text.slice(supply.from(unit), supply.to(unit)).trimEnd());
    lines.set(group, told);
  }
  return speeches
    .flatMap(({ label, contents, isWhole }, group) => {
      const told = isWhole ? contents.map(({ text }) => text.trim()) : lines.get(group);
      return told === undefined
        ? []
        : [
            spell(
              label,
              told.filter((line) => line.trim() !== ""),
            ),
          ];
    })
    .join("\n");
}

function spell(label: string, lines: readonly string[]): string {
  return lines.length === 1 ? `${label}${lines[0]?.trim()}` : [label.trimEnd(), ...lines].join("\n");
}

/** What there is room for where there is room for next to nothing. */
function firstWords(speeches: readonly Speech[], maxTokens: number, counter: TokenCounter): string {
  const [first] = speeches.flatMap(({ contents }) => contents);
  let text = first?.text.trim() ?? "";
  while (text.length > 1 && counter.countText(text) > maxTokens)
    text = text.slice(0, Math.floor(text.length * 0.7)).trimEnd();
  return text;
}

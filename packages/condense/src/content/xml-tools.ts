import { isUserAuthored, type Message } from "@longhaul/conversation";
import { blockKey } from "../edits/text-position.ts";
import type { Content, Contents, Level, ToolUse } from "./content.ts";
import type { Link } from "./cuts.ts";
import { isComposed, readUserText, type UserText } from "./xml-answers.ts";
import { callsIn, type XmlCall } from "./xml-calls.ts";
import { type Stretch, trimmed } from "./xml-syntax.ts";

/**
 * Finds tool calls and results that stand as XML in text (histories of Roo, Cline and Zoo Code), and splits the contents there. Tags and
 * announcements are no contents. What stands before the first user's text that such a client composed is left as it is, so that no later
 * message changes how an earlier one is read; `isComposed` tells that there was one before these messages.
 */
export function readXmlTools(
  messages: readonly Message[],
  contents: readonly Content[],
  isComposed: boolean,
): Contents {
  const ownWords = messages.map(isUserAuthored);
  const first = isComposed ? 0 : messages.findIndex(hasComposedText);
  if (first === -1) return { contents, links: [], ownWords };
  const parts = new Map<string, readonly Part[]>();
  const links: Link[] = [];
  for (const exchange of exchangesFrom(messages, first)) {
    const { callMessage, resultMessage, composed } = exchange;
    if (composed.announcements.length > 0 && callMessage !== -1) links.push({ from: callMessage, to: resultMessage });
    if (resultMessage !== -1) ownWords[resultMessage] &&= holdsOwnWords(messages[resultMessage], composed);
    for (const [place, found] of partsOf(exchange, messages)) parts.set(place, found);
  }
  return { contents: contents.flatMap((content) => splitContent(content, parts)), links, ownWords };
}

/** Whether a message holds a user's text that a client with tools as XML composed. */
export function hasComposedText({ role, blocks }: Message): boolean {
  return role === "user" && blocks.some((block) => block.type === "text" && isComposed(block.text));
}

/** An assistant's message and the user's behind it; either may be missing, and its index is then -1. */
interface Exchange {
  readonly callMessage: number;
  readonly calls: readonly PlacedCall[];
  readonly resultMessage: number;
  readonly composed: ComposedMessage;
}

const NOTHING: ComposedMessage = { texts: [], announcements: [] };

function* exchangesFrom(messages: readonly Message[], first: number): Generator<Exchange> {
  for (let index = first; index < messages.length; index++) {
    const message = messages[index];
    const isAnswered = index > first && messages[index - 1]?.role === "assistant";
    if (message?.role === "assistant")
      yield { callMessage: index, calls: placedCalls(message), ...answerAt(messages, index + 1) };
    else if (!isAnswered) yield { callMessage: -1, calls: [], ...answerAt(messages, index) };
  }
}

function answerAt(messages: readonly Message[], index: number): Pick<Exchange, "resultMessage" | "composed"> {
  const message = messages[index];
  if (message?.role !== "user") return { resultMessage: -1, composed: NOTHING };
  return { resultMessage: index, composed: readComposed(message) };
}

/** A picture is the user's own, unless a tool's answer is announced before it. */
function holdsOwnWords(message: Message | undefined, { texts, announcements }: ComposedMessage): boolean {
  if (texts.some(({ read }) => read.own.length > 0)) return true;
  const others = message?.blocks.filter((block) => block.type !== "text") ?? [];
  return announcements.length === 0 && isUserAuthored({ role: "user", blocks: others });
}

/** The parts of every text block of an exchange that is not one content as a whole. */
function* partsOf(exchange: Exchange, messages: readonly Message[]): Generator<[string, Part[]]> {
  const { callMessage, calls, resultMessage, composed } = exchange;
  const uses = matchUses(exchange);
  for (const block of new Set(calls.map((call) => call.block))) {
    const found = messages[callMessage]?.blocks[block];
    const here = calls.flatMap((call, index) => (call.block === block ? [{ call, use: uses.ofCalls[index] }] : []));
    if (found?.type === "text") yield [blockKey({ message: callMessage, block }), assistantParts(found.text, here)];
  }
  for (const text of composed.texts) {
    yield [
      blockKey({ message: resultMessage, block: text.block }),
      userParts(text, uses.ofAnswers[text.announcement], resultMessage),
    ];
  }
}

/** One use for each call and one for each announced answer; a call and its answer share theirs. */
interface Uses {
  readonly ofCalls: readonly ToolUse[];
  readonly ofAnswers: readonly ToolUse[];
}

function matchUses({ callMessage, calls, resultMessage, composed }: Exchange): Uses {
  const open = new Set(calls.keys());
  const ofCalls = calls.map(
    ({ name, input }): ToolUse => ({ name, input, callMessage, resultMessage: -1, isError: false }),
  );
  const ofAnswers = composed.announcements.map(({ name, isError }: Announcement): ToolUse => {
    const index = [...open].find((call) => calls[call]?.name === name) ?? -1;
    const call = ofCalls[index];
    if (call === undefined) return { name, input: null, callMessage: -1, resultMessage, isError };
    open.delete(index);
    const use = { ...call, resultMessage, isError };
    ofCalls[index] = use;
    return use;
  });
  return { ofCalls, ofAnswers };
}

function splitContent(content: Content, parts: ReadonlyMap<string, readonly Part[]>): readonly Content[] {
  const { at, text } = content;
  const found = content.level === "text" ? parts.get(blockKey(at)) : undefined;
  if (found === undefined) return [content];
  return found.map((part) => ({ ...content, ...part, text: text.slice(part.from, part.to) }));
}

/** A content inside a text block. */
export interface Part extends Stretch {
  readonly level: Level;
  readonly use?: ToolUse;
}

/** A call in one of an assistant's text blocks. */
export interface PlacedCall extends XmlCall {
  readonly block: number;
}

/** The calls in an assistant's message, in reading order. */
export function placedCalls({ blocks }: Message): PlacedCall[] {
  return blocks.flatMap((found, block) =>
    found.type === "text" ? callsIn(found.text).map((call) => ({ ...call, block })) : [],
  );
}

/** An assistant's text split at its calls: words before, values of parameters, words after. */
export function assistantParts(text: string, calls: readonly { call: PlacedCall; use: ToolUse | undefined }[]): Part[] {
  const parts: Part[] = [];
  let at = 0;
  for (const { call, use } of calls) {
    parts.push(...words(text, { from: at, to: call.from }));
    parts.push(...call.values.map((value): Part => ({ ...value, level: "parameters", ...(use && { use }) })));
    at = call.to;
  }
  return [...parts, ...words(text, { from: at, to: text.length })];
}

function words(text: string, stretch: Stretch): Part[] {
  const found = trimmed(text, stretch);
  return found === undefined ? [] : [{ ...found, level: "text" }];
}

/** A text block of a user's message, and which of the message's announcements its result belongs to; -1 for none. */
interface ReadBlock {
  readonly block: number;
  readonly text: string;
  readonly read: UserText;
  readonly announcement: number;
}

/** The answer of a tool that a user's message announces. */
export interface Announcement {
  readonly name: string;
  readonly isError: boolean;
}

/** A user's message as its client composed it. */
export interface ComposedMessage {
  readonly texts: readonly ReadBlock[];
  readonly announcements: readonly Announcement[];
}

/**
 * Reads a user's message. An announcement with nothing behind it is answered by the next text block; one that only the user's words
 * follow may be made again for the answer itself.
 */
export function readComposed({ blocks }: Message): ComposedMessage {
  const texts: ReadBlock[] = [];
  const names: string[] = [];
  let isWaiting = false;
  let isUnanswered = false;
  for (const [block, found] of blocks.entries()) {
    if (found.type !== "text") continue;
    const read = readUserText(found.text, isWaiting);
    const isRepeated: boolean = isUnanswered && read.answers === names.at(-1);
    if (read.answers !== undefined && !isRepeated) names.push(read.answers);
    const isAnswer: boolean = isWaiting || read.answers !== undefined;
    texts.push({ block, text: found.text, read, announcement: isAnswer ? names.length - 1 : -1 });
    isWaiting = isAnswer && read.result.length + read.own.length === 0;
    isUnanswered = (isAnswer || isUnanswered) && read.result.length === 0;
  }
  return { texts, announcements: names.map((name, index) => ({ name, isError: hasFailed(texts, index) })) };
}

const FAILURE = /^(?:The tool execution failed|<error>|Error\b)/;

function hasFailed(texts: readonly ReadBlock[], announcement: number): boolean {
  return texts.some((entry) => {
    const first = entry.announcement === announcement ? entry.read.result[0] : undefined;
    return first !== undefined && FAILURE.test(entry.text.slice(first.from, first.from + FAILURE_CHARS));
  });
}

const FAILURE_CHARS = 40;

/** A user's text split into the user's words, the result of `use`, and what the client added, in reading order. */
export function userParts({ read }: ReadBlock, use: ToolUse | undefined, message: number): Part[] {
  const added = (name: string): ToolUse => ({
    name,
    input: null,
    callMessage: -1,
    resultMessage: message,
    isError: false,
  });
  const parts: Part[] = [
    ...read.own.map((stretch): Part => ({ ...stretch, level: "text" })),
    ...read.result.map((stretch): Part => ({ ...stretch, level: "result", ...(use && { use }) })),
    ...read.notes.map((stretch): Part => ({ ...stretch, level: "result", use: added("client_note") })),
    ...read.environment.map((stretch): Part => ({ ...stretch, level: "result", use: added("environment_details") })),
  ];
  return parts.sort((a, b) => a.from - b.from);
}

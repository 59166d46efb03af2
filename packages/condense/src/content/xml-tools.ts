import { isUserAuthored, type Message } from "@longhaul/conversation/advanced";
import { blockKey } from "../edits/text-position.ts";
import type { Content, Contents, Level, ToolUse } from "./content.ts";
import type { Link } from "./cuts.ts";
import { callsIn, type XmlCall } from "./xml-calls.ts";
import { isComposed, readUserText, type UserText } from "./xml-results.ts";
import { type Span, trimSpan } from "./xml-syntax.ts";

/**
 * Finds tool calls and results written as XML in text (histories of Roo, Cline and Zoo Code), and splits the contents there. Tags and
 * announcements are not contents. Messages before the first composed user text are not searched, so that no later message changes how an
 * earlier one is read; `isComposed` means that there was one before these messages.
 */
export function readXmlTools(
  messages: readonly Message[],
  contents: readonly Content[],
  isComposed: boolean,
): Contents {
  const userAuthored = messages.map(isUserAuthored);
  const first = isComposed ? 0 : messages.findIndex(hasComposedText);
  if (first === -1) return { contents, links: [], userAuthored: userAuthored };
  const parts = new Map<string, readonly Part[]>();
  const links: Link[] = [];
  for (const exchange of exchangesFrom(messages, first)) {
    const { callMessage, resultMessage, composed } = exchange;
    if (composed.announcements.length > 0 && callMessage !== -1) links.push({ from: callMessage, to: resultMessage });
    if (resultMessage !== -1) userAuthored[resultMessage] &&= isWrittenByUser(messages[resultMessage], composed);
    for (const [key, found] of partsOf(exchange, messages)) parts.set(key, found);
  }
  return { contents: contents.flatMap((content) => splitContent(content, parts)), links, userAuthored: userAuthored };
}

/** Whether a message has a user text that a client with XML tools composed. */
export function hasComposedText({ role, blocks }: Message): boolean {
  return role === "user" && blocks.some((block) => block.type === "text" && isComposed(block.text));
}

/** An assistant message and the user message after it; the index of a missing one is -1. */
interface Exchange {
  readonly callMessage: number;
  readonly calls: readonly LocatedCall[];
  readonly resultMessage: number;
  readonly composed: ComposedMessage;
}

const NOTHING: ComposedMessage = { texts: [], announcements: [] };

function* exchangesFrom(messages: readonly Message[], first: number): Generator<Exchange> {
  for (let index = first; index < messages.length; index++) {
    const message = messages[index];
    const isAnswered = index > first && messages[index - 1]?.role === "assistant";
    if (message?.role === "assistant")
      yield { callMessage: index, calls: locatedCalls(message), ...answerAt(messages, index + 1) };
    else if (!isAnswered) yield { callMessage: -1, calls: [], ...answerAt(messages, index) };
  }
}

function answerAt(messages: readonly Message[], index: number): Pick<Exchange, "resultMessage" | "composed"> {
  const message = messages[index];
  if (message?.role !== "user") return { resultMessage: -1, composed: NOTHING };
  return { resultMessage: index, composed: readComposed(message) };
}

/** An image is the user's, unless a tool result is announced before it. */
function isWrittenByUser(message: Message | undefined, { texts, announcements }: ComposedMessage): boolean {
  if (texts.some(({ read }) => read.own.length > 0)) return true;
  const others = message?.blocks.filter((block) => block.type !== "text") ?? [];
  return announcements.length === 0 && isUserAuthored({ role: "user", blocks: others });
}

/** Yields the parts of every text block of an exchange that is more than one content. */
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

/** One use per call and one per announced result; a call and its result share theirs. */
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
export interface Part extends Span {
  readonly level: Level;
  readonly use?: ToolUse;
}

/** A call in a text block of an assistant message. */
export interface LocatedCall extends XmlCall {
  readonly block: number;
}

export function locatedCalls({ blocks }: Message): LocatedCall[] {
  return blocks.flatMap((found, block) =>
    found.type === "text" ? callsIn(found.text).map((call) => ({ ...call, block })) : [],
  );
}

/** Splits an assistant's text at its calls: text before, parameter values, text after. */
export function assistantParts(
  text: string,
  calls: readonly { call: LocatedCall; use: ToolUse | undefined }[],
): Part[] {
  const parts: Part[] = [];
  let at = 0;
  for (const { call, use } of calls) {
    parts.push(...words(text, { from: at, to: call.from }));
    parts.push(...call.values.map((value): Part => ({ ...value, level: "parameters", ...(use && { use }) })));
    at = call.to;
  }
  return [...parts, ...words(text, { from: at, to: text.length })];
}

function words(text: string, span: Span): Part[] {
  const found = trimSpan(text, span);
  return found === undefined ? [] : [{ ...found, level: "text" }];
}

/** A text block of a user message, with the index of the announcement that its result belongs to, or -1. */
interface ReadBlock {
  readonly block: number;
  readonly text: string;
  readonly read: UserText;
  readonly announcement: number;
}

/** A tool result that a user message announces. */
interface Announcement {
  readonly name: string;
  readonly isError: boolean;
}

/** A user message as its client composed it. */
export interface ComposedMessage {
  readonly texts: readonly ReadBlock[];
  readonly announcements: readonly Announcement[];
}

/**
 * Reads a user message. An announcement with nothing after it refers to the next text block; if only the user's text follows, the client
 * may repeat the announcement for the result itself.
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

/** Splits a user text into the user's text, the result of `use`, and the client's additions, in reading order. */
export function userParts({ read }: ReadBlock, use: ToolUse | undefined, message: number): Part[] {
  const added = (name: string): ToolUse => ({
    name,
    input: null,
    callMessage: -1,
    resultMessage: message,
    isError: false,
  });
  const parts: Part[] = [
    ...read.own.map((span): Part => ({ ...span, level: "text" })),
    ...read.result.map((span): Part => ({ ...span, level: "result", ...(use && { use }) })),
    ...read.notes.map((span): Part => ({ ...span, level: "result", use: added("client_note") })),
    ...read.environment.map((span): Part => ({ ...span, level: "result", use: added("environment_details") })),
  ];
  return parts.sort((a, b) => a.from - b.from);
}

import type { Message } from "@longhaul/conversation";
import type { Level, ToolUse } from "./content.ts";
import { readUserText, type UserText } from "./xml-answers.ts";
import { callsIn, type XmlCall } from "./xml-calls.ts";
import { type Stretch, trimmed } from "./xml-stretch.ts";

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

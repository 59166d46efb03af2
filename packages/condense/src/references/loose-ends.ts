import { type Block, type Message, textBlock, toolPairs } from "@longhaul/conversation";
import type { Content } from "../content/content.ts";
import { decompose } from "../content/contents.ts";
import { hasComposedText } from "../content/xml-tools.ts";

/** What must be known of messages to take those behind them apart as if all were read at once: places and no texts. */
export interface LooseEnds {
  /** How many messages there are. */
  readonly messages: number;
  /** How many of them are not the assistant's. */
  readonly rounds: number;
  /** Calls that no result has answered yet, in reading order. */
  readonly open: readonly OpenCall[];
  /** Whether a client composed one of them with tools as XML. */
  readonly isComposed: boolean;
  /** Whether the last one is the assistant's. */
  readonly endsWithAssistant: boolean;
}

interface OpenCall {
  readonly message: number;
  readonly block: number;
  readonly round: number;
}

/** Before the first message. */
export const NO_MESSAGES: LooseEnds = {
  messages: 0,
  rounds: 0,
  open: [],
  isComposed: false,
  endsWithAssistant: false,
};

/** Messages taken apart, and what is loose behind them. */
interface Continued {
  readonly contents: readonly Content[];
  readonly ends: LooseEnds;
}

/** Takes messages apart that follow others: gives the contents that taking all of them apart would give for these. */
export function continueContents(
  ends: LooseEnds,
  messages: readonly Message[],
  messageAt: (position: number) => Message,
): Continued {
  const before = precedingMessages(ends, messageAt);
  const all = [...before.map(({ message }) => message), ...messages];
  const positionOf = (index: number): number =>
    index < before.length ? (before[index]?.position ?? -1) : ends.messages + index - before.length;
  const contents = decompose(all, ends.isComposed)
    .contents.filter(({ at }) => at.message >= before.length)
    .map((content) => ({ ...content, at: { ...content.at, message: positionOf(content.at.message) } }));
  const roundOf = roundsOf(ends, messages);
  const open = toolPairs(all)
    .pairs.filter(({ result }) => result === undefined)
    .map(({ call: { message: index, block } }) => {
      const message = positionOf(index);
      return { message, block, round: roundOf(message) };
    });
  return { contents, ends: { ...endsBehind(ends, messages), open } };
}

interface Preceding {
  readonly message: Message;
  readonly position: number;
}

const SEPARATOR: Preceding = { message: { role: "user", blocks: [] }, position: -1 };

/** The messages whose calls are open, one round apart from the next, and the assistant's last words if nobody has spoken since. */
function precedingMessages(ends: LooseEnds, messageAt: (position: number) => Message): Preceding[] {
  const preceding: Preceding[] = [];
  const last = ends.endsWithAssistant ? ends.messages - 1 : -1;
  let round = -1;
  for (const position of new Set([...ends.open.map((call) => call.message), ...(last === -1 ? [] : [last])])) {
    const open = ends.open.filter((call) => call.message === position);
    const now = open[0]?.round ?? ends.rounds;
    if (round !== -1 && round !== now) preceding.push(SEPARATOR);
    round = now;
    preceding.push({ message: withoutTheRest(messageAt(position), open, position === last), position });
  }
  return round === -1 || last !== -1 ? preceding : [...preceding, SEPARATOR];
}

/** The message with its open calls alone, each where it stands, and its texts where they still matter. */
function withoutTheRest(message: Message, open: readonly OpenCall[], keepsTexts: boolean): Message {
  const isOpen = new Set(open.map((call) => call.block));
  const isKept = (block: Block, index: number) => isOpen.has(index) || (keepsTexts && block.type === "text");
  return { ...message, blocks: message.blocks.map((block, index) => (isKept(block, index) ? block : NOTHING)) };
}

const NOTHING = textBlock("");

/** Tells the round of a message: how many before it, and it itself, are not the assistant's. */
function roundsOf(
  { messages: count, rounds, open }: LooseEnds,
  messages: readonly Message[],
): (message: number) => number {
  let round = rounds;
  const known = new Map(open.map((call) => [call.message, call.round]));
  for (const [index, { role }] of messages.entries()) {
    if (role !== "assistant") round++;
    known.set(count + index, round);
  }
  return (message) => known.get(message) ?? rounds;
}

function endsBehind(ends: LooseEnds, messages: readonly Message[]): Omit<LooseEnds, "open"> {
  const last = messages.at(-1);
  return {
    messages: ends.messages + messages.length,
    rounds: ends.rounds + messages.filter(({ role }) => role !== "assistant").length,
    isComposed: ends.isComposed || messages.some(hasComposedText),
    endsWithAssistant: last === undefined ? ends.endsWithAssistant : last.role === "assistant",
  };
}

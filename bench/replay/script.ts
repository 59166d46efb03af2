import { type Block, isJsonObject, type JsonObject, type Message } from "@longhaul/conversation";
import { codecOf } from "@longhaul/wire";
import { markBody, spelledOut } from "./cache-marks.ts";
import type { Session } from "./session.ts";

/** What a client sends in the course of a session: on each turn all that was said until then. */
export interface Script {
  /** How many requests the session is made of. */
  readonly turns: number;
  /** The entries that a turn's request ends before. */
  itemsAt(turn: number): readonly JsonObject[];
  /** The body of a request with these entries, and with cache marks after so many of them where the format has such. */
  bodyOf(items: readonly JsonObject[], marksAfter: readonly number[]): JsonObject;
  /** What the user, or a tool, said last before a turn. */
  lastSaid(turn: number): LastSaid;
  /** The share of the session's characters that is said by a turn. */
  shareAt(turn: number): number;
}

/** The end of a conversation, enough to know it again. */
export interface LastSaid {
  readonly text: string;
  /** How many texts the user and tools said since the assistant spoke. */
  readonly texts: number;
  readonly hasResults: boolean;
}

/** What a session is played in. */
export interface ScriptOptions {
  readonly windowTokens: number;
  /** What comes after so many turns is left out. @default nothing */
  readonly maxTurns?: number;
}

/** Coding agents ask for this much, as far as the model allows it. */
const AGENT_OUTPUT_TOKENS = 32_000;

/** Writes a session down in its client's format. Each message is spelled once, so that it has the same bytes on every turn. */
export function writeScript(
  { conversation, format, name }: Session,
  { windowTokens, maxTurns }: ScriptOptions,
): Script {
  const { messages } = conversation;
  const request = {
    model: format.model,
    conversation,
    stream: true,
    sampling: {},
    ...(format.limitsOutput && { maxOutputTokens: Math.min(AGENT_OUTPUT_TOKENS, Math.floor(windowTokens / 2)) }),
  };
  const { body } = codecOf(format.wire).encodeRequest(request, { model: format.model });
  const isMessages = format.wire === "anthropic-messages";
  const items = listOf(body, format.listField).map((item) => (isMessages ? spelledOut(item) : item));
  const ends = turnEnds(items, format.isAssistant);
  const said = turnEnds(messages, ({ role }) => role === "assistant");
  if (ends.length !== said.length) {
    throw new Error(`${name}: ${said.length} turns became ${ends.length} in the format of ${format.name}`);
  }
  const sizes = items.map((item) => JSON.stringify(item).length);
  const turns = Math.min(ends.length, maxTurns ?? ends.length);
  const total = sum(sizes.slice(0, ends[turns - 1]));
  return {
    turns,
    itemsAt: (turn) => items.slice(0, ends[turn]),
    bodyOf: (list, marksAfter) => {
      const whole = { ...body, [format.listField]: list };
      return isMessages ? markBody(whole, marksAfter) : whole;
    },
    lastSaid: (turn) => lastSaidIn(messages.slice(0, said[turn])),
    shareAt: (turn) => sum(sizes.slice(0, ends[turn])) / total,
  };
}

/** The entries of a body's list. */
export function listOf(body: unknown, field: string): JsonObject[] {
  const list = isJsonObject(body) ? body[field] : undefined;
  return Array.isArray(list) ? list.filter(isJsonObject) : [];
}

/** Where requests end: before each time that the assistant begins to speak, and at the end where it has not answered yet. */
function turnEnds<Item>(items: readonly Item[], isAssistant: (item: Item) => boolean): number[] {
  const isOpen = (at: number) =>
    at > 0 && !isAssistant(items[at - 1]!) && (at === items.length || isAssistant(items[at]!));
  return Array.from({ length: items.length + 1 }, (_, at) => at).filter(isOpen);
}

function lastSaidIn(messages: readonly Message[]): LastSaid {
  const spoke = messages.findLastIndex(({ role }) => role === "assistant");
  const blocks = messages.slice(spoke + 1).flatMap((message) => message.blocks);
  const texts = blocks.flatMap((block): readonly Block[] => (block.type === "tool-result" ? block.content : [block]));
  // Formats without a field for it say in a text of its own that a tool failed.
  const errors = blocks.filter((block) => block.type === "tool-result" && block.isError);
  const last = texts.findLast((block) => block.type === "text");
  return {
    text: last?.text ?? "",
    texts: Math.max(1, texts.length + errors.length),
    hasResults: messages.at(-1)?.blocks.some(({ type }) => type === "tool-result") ?? false,
  };
}

function sum(numbers: readonly number[]): number {
  return numbers.reduce((total, number) => total + number, 0);
}

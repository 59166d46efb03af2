import { type Block, isJsonObject, type JsonObject, type JsonValue, type Message } from "@longhaul/conversation";
import { codecOf } from "@longhaul/wire";
import type { Session } from "./session.ts";

/** The requests of a client in one session: each turn sends the whole history. */
export interface Script {
  /** Number of requests in the session. */
  readonly turns: number;
  /** The items of a turn's request. */
  itemsAt(turn: number): readonly JsonObject[];
  /** Returns a request body with these items, and with cache marks after the given positions if the format has them. */
  bodyOf(items: readonly JsonObject[], marksAfter: readonly number[]): JsonObject;
  /** The latest text of the user or a tool before a turn. */
  lastMessage(turn: number): LastMessage;
  /** The share of the session's characters up to a turn. */
  shareAt(turn: number): number;
}

/** The end of a conversation, enough to recognize it. */
export interface LastMessage {
  readonly text: string;
  /** Number of texts by the user and tools since the assistant's last message. */
  readonly texts: number;
  readonly hasResults: boolean;
}

export interface ScriptOptions {
  readonly windowTokens: number;
  /** Leave out everything after this many turns. @default none */
  readonly maxTurns?: number;
}

/** The output limit of coding agents, if the model allows it. */
const AGENT_OUTPUT_TOKENS = 32_000;

/** Writes a session in its client's format. Each message is encoded once, so that it has the same bytes on every turn. */
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
  const items = listOf(body, format.listField).map((item) => (isMessages ? withBlocks(item) : item));
  const ends = turnEnds(items, format.isAssistant);
  const messageEnds = turnEnds(messages, ({ role }) => role === "assistant");
  if (ends.length !== messageEnds.length) {
    throw new Error(`${name}: ${messageEnds.length} turns became ${ends.length} in format ${format.name}`);
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
    lastMessage: (turn) => lastMessageIn(messages.slice(0, messageEnds[turn])),
    shareAt: (turn) => sum(sizes.slice(0, ends[turn])) / total,
  };
}

export function listOf(body: unknown, field: string): JsonObject[] {
  const list = isJsonObject(body) ? body[field] : undefined;
  return Array.isArray(list) ? list.filter(isJsonObject) : [];
}

/** Where requests end: before each message of the assistant, and at the end if it has not answered yet. */
function turnEnds<Item>(items: readonly Item[], isAssistant: (item: Item) => boolean): number[] {
  const isOpen = (at: number) =>
    at > 0 && !isAssistant(items[at - 1]!) && (at === items.length || isAssistant(items[at]!));
  return Array.from({ length: items.length + 1 }, (_, at) => at).filter(isOpen);
}

function lastMessageIn(messages: readonly Message[]): LastMessage {
  const spoke = messages.findLastIndex(({ role }) => role === "assistant");
  const blocks = messages.slice(spoke + 1).flatMap((message) => message.blocks);
  const texts = blocks.flatMap((block): readonly Block[] => (block.type === "tool-result" ? block.content : [block]));
  // Formats without a field for tool errors use a separate text.
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

const MARK = { type: "ephemeral" };

/** Adds cache marks to a Messages body like coding agents: after the system prompt, and at the ends of this and the previous request. */
function markBody(body: JsonObject, ends: readonly number[]): JsonObject {
  const { system, messages } = body;
  return {
    ...body,
    ...(Array.isArray(system) && {
      system: system.map((block, at) => (at === system.length - 1 ? marked(block) : block)),
    }),
    ...(Array.isArray(messages) && {
      messages: messages.map((message, at) => (ends.includes(at + 1) ? markedMessage(message) : message)),
    }),
  };
}

/** Returns a message with its content as blocks, the form that marks need. */
function withBlocks(message: JsonObject): JsonObject {
  const { content } = message;
  return typeof content === "string" ? { ...message, content: [{ type: "text", text: content }] } : message;
}

function markedMessage(message: JsonValue): JsonValue {
  if (!isJsonObject(message) || !Array.isArray(message.content)) return message;
  const { content } = message;
  return { ...message, content: content.map((block, at) => (at === content.length - 1 ? marked(block) : block)) };
}

function marked(block: JsonValue): JsonValue {
  return isJsonObject(block) ? { ...block, cache_control: MARK } : block;
}

/** Returns a value without any cache marks. */
export function unmarked(value: JsonValue): JsonValue {
  if (Array.isArray(value)) return value.map(unmarked);
  if (!isJsonObject(value)) return value;
  const kept = Object.entries(value).filter(([name]) => name !== "cache_control");
  return Object.fromEntries(kept.map(([name, inner]) => [name, name === "content" ? unmarked(inner) : inner]));
}

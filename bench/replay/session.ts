import type { Block, Conversation, Message, Tool } from "@longhaul/conversation";
import { makeSession } from "../condense/generate.ts";
import { readSessions } from "../condense/sessions.ts";
import { CHAT, type Format, MESSAGES } from "./format.ts";

/** A session and the format of its client. */
export interface Session {
  readonly name: string;
  readonly conversation: Conversation;
  readonly format: Format;
}

/** Sizes of generated sessions, in tokens. */
const GENERATED = { small: 50_000, large: 100_000 } as const;
const CHAT_TOKENS = 40_000;

/** Real sessions that are played by default; the others are synthetic or short. */
const REAL = /^(claude-code|pi)\/|^roo\/heavy/;

/** Returns generated sessions and, if available, real ones: those whose name contains `wanted`, else a selection. */
export function chooseSessions(wanted: string | undefined): Session[] {
  const generated = Object.entries(GENERATED).map(([name, tokens]) =>
    playable(`generated/${name}`, makeSession(tokens)),
  );
  const chat = playable("generated/chat", makeSession(CHAT_TOKENS), CHAT);
  const real = readSessions().flatMap(({ name, conversations, isLong }) =>
    conversations.map((conversation, index) =>
      playable(isLong ? name : `${name.replace(/ .*/, "")}/${index}`, conversation, isLong ? MESSAGES : CHAT),
    ),
  );
  const all = [...generated, chat, ...real];
  return all.filter(({ name }) =>
    wanted === undefined ? /^generated/.test(name) || REAL.test(name) : name.includes(wanted),
  );
}

/** Prepares a session for a new client: thinking is removed, because only its signer would accept it. */
export function playable(name: string, conversation: Conversation, format: Format = MESSAGES): Session {
  const messages = conversation.messages.map(withoutThinking).filter(({ blocks }) => blocks.length > 0);
  const first = messages.findIndex(({ role, blocks }) => role === "user" && blocks[0]?.type !== "tool-result");
  const system = conversation.system.length > 0 ? conversation.system : [SYSTEM];
  const tools = conversation.tools.length > 0 ? conversation.tools : toolsIn(messages);
  return { name, format, conversation: { system, tools, messages: messages.slice(first) } };
}

function withoutThinking(message: Message): Message {
  const blocks = message.blocks.filter(({ type }) => type !== "thinking" && type !== "redacted-thinking");
  return { role: message.role, blocks };
}

/** Logs do not contain the system prompt; real ones are longer. */
const SYSTEM: Block = { type: "text", text: "You are a careful engineer. Read before you write. ".repeat(60).trim() };

function toolsIn(messages: readonly Message[]): Tool[] {
  const names = messages.flatMap(({ blocks }) =>
    blocks.flatMap((block) => (block.type === "tool-call" ? block.name : [])),
  );
  return [...new Set(names)].map((name) => ({
    name,
    kind: "function",
    description: `Runs ${name}.`,
    inputSchema: { type: "object", properties: {} },
  }));
}

import type { Block, Conversation, Message, Tool } from "@longhaul/conversation";

/**
 * A recorded session as a client would hold it that begins anew. Thinking is left out, because only whoever signed it takes it back; logs
 * hold neither system prompt nor tools, so that stand-ins take their place.
 */
export function playable({ system, tools, messages }: Conversation): Conversation {
  const spoken = messages.map(withoutThinking).filter(({ blocks }) => blocks.length > 0);
  const first = spoken.findIndex(({ role, blocks }) => role === "user" && blocks[0]?.type !== "tool-result");
  const kept = first === -1 ? [] : spoken.slice(first);
  return {
    system: system.length > 0 ? system : [SYSTEM],
    tools: tools.length > 0 ? tools : toolsIn(kept),
    messages: kept,
  };
}

/** Where requests were made: before every message of the assistant that follows one of somebody else. */
export function requestsIn({ messages }: Conversation): number[] {
  return [...messages.keys()].filter(
    (index) => index > 0 && messages[index]?.role === "assistant" && messages[index - 1]?.role !== "assistant",
  );
}

function withoutThinking({ role, blocks }: Message): Message {
  return { role, blocks: blocks.filter(({ type }) => type !== "thinking" && type !== "redacted-thinking") };
}

const SYSTEM: Block = { type: "text", text: "You are a careful engineer. Read before you write." };

function toolsIn(messages: readonly Message[]): Tool[] {
  const names = messages.flatMap(({ blocks }) =>
    blocks.flatMap((block) => (block.type === "tool-call" ? block.name : [])),
  );
  const inputSchema = { type: "object", properties: {} };
  return [...new Set(names)].map((name) => ({ name, kind: "function", description: `The tool ${name}.`, inputSchema }));
}

import { AIMessage, type BaseMessage, ToolMessage } from "@langchain/core/messages";
import { type Block, type Conversation, type Message, type ResultBlock, textBlock } from "@longhaul/conversation";
import { toJson } from "../to-json.ts";
import { contentParts, decodeContent } from "./decode-content.ts";

/**
 * Messages as a conversation: one message for each after the leading instructions. A message's blocks are the parts of its content and, after
 * them, its tool calls.
 */
export function decodeMessages(messages: readonly BaseMessage[]): Conversation {
  const start = leadingInstructions(messages);
  const system = messages.slice(0, start).flatMap((message) => contentParts(message).map(decodeContent));
  return { system, tools: [], messages: messages.slice(start).map(decodeMessage) };
}

/** How many messages at the start are instructions. */
export function leadingInstructions(messages: readonly BaseMessage[]): number {
  const start = messages.findIndex(({ type }) => type !== "system");
  return start === -1 ? messages.length : start;
}

function decodeMessage(message: BaseMessage): Message {
  const blocks = contentParts(message).map(decodeContent);
  if (ToolMessage.isInstance(message)) return { role: "user", blocks: [decodeResult(message, blocks)] };
  if (AIMessage.isInstance(message)) return { role: "assistant", blocks: [...blocks, ...decodeCalls(message)] };
  return { role: message.type === "system" ? "system" : "user", blocks };
}

function decodeCalls({ tool_calls: calls = [] }: AIMessage): Block[] {
  return calls.map(({ id = "", name, args }) => ({ type: "tool-call", id, name, input: toJson(args) }));
}

function decodeResult({ tool_call_id: callId, name, status }: ToolMessage, blocks: readonly Block[]): Block {
  return {
    type: "tool-result",
    callId,
    ...(name !== undefined && { name }),
    content: blocks.map(resultBlock),
    isError: status === "error",
  };
}

function resultBlock(block: Block): ResultBlock {
  const isResult =
    block.type === "text" || block.type === "image" || block.type === "document" || block.type === "opaque";
  return isResult ? block : textBlock(block.type === "thinking" ? block.text : "");
}

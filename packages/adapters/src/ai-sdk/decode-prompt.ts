import type {
  LanguageModelV4CallOptions,
  LanguageModelV4Message,
  LanguageModelV4Prompt,
  LanguageModelV4ToolCallPart,
  LanguageModelV4ToolResultPart,
} from "@ai-sdk/provider";
import {
  type Block,
  type Conversation,
  isJsonObject,
  type Message,
  type Tool,
  textBlock,
} from "@longhaul/conversation";
import { toJson } from "../translate.ts";
import { decodeFile, decodeOutput, decodeReasoning, opaque } from "./decode-parts.ts";

/**
 * A prompt as a conversation: one message for each of its own after the leading instructions, one block for each part. Options for
 * providers are left out, because they change from turn to turn (cache marks) while the message stays the same.
 */
export function decodePrompt(
  prompt: LanguageModelV4Prompt,
  tools: LanguageModelV4CallOptions["tools"] = [],
): Conversation {
  const start = leadingInstructions(prompt);
  const instructions = prompt.slice(0, start).map(({ content }) => textBlock(String(content)));
  return { system: instructions, tools: tools.map(decodeTool), messages: prompt.slice(start).map(decodeMessage) };
}

/** How many messages at the start are instructions. */
export function leadingInstructions(prompt: LanguageModelV4Prompt): number {
  const start = prompt.findIndex(({ role }) => role !== "system");
  return start === -1 ? prompt.length : start;
}

function decodeTool(tool: NonNullable<LanguageModelV4CallOptions["tools"]>[number]): Tool {
  if (tool.type === "provider") return { name: tool.name, kind: "server" };
  const { name, description, inputSchema } = tool;
  const schema = toJson(inputSchema);
  return {
    kind: "function",
    name,
    ...(description !== undefined && { description }),
    ...(isJsonObject(schema) && { inputSchema: schema }),
  };
}

function decodeMessage(message: LanguageModelV4Message): Message {
  if (message.role === "system") return { role: "system", blocks: [textBlock(message.content)] };
  if (message.role === "assistant") return { role: "assistant", blocks: message.content.map(decodeAssistantPart) };
  return { role: "user", blocks: message.content.map(decodePart) };
}

/** What the provider ran itself is its own affair: such calls and results are kept or dropped whole. */
function decodeAssistantPart(part: AssistantPart): Block {
  const isProviders = part.type === "tool-result" || (part.type === "tool-call" && part.providerExecuted === true);
  return isProviders ? opaque(part) : decodePart(part);
}

type AssistantPart = Extract<LanguageModelV4Message, { role: "assistant" }>["content"][number];

type Part = Exclude<LanguageModelV4Message, { role: "system" }>["content"][number];

function decodePart(part: Part): Block {
  switch (part.type) {
    case "text":
      return textBlock(part.text);
    case "file":
      return decodeFile(part);
    case "reasoning":
      return decodeReasoning(part);
    case "tool-call":
      return decodeCall(part);
    case "tool-result":
      return decodeResult(part);
    case "reasoning-file":
    case "custom":
    case "tool-approval-response":
      return opaque(part);
    default:
      return part satisfies never;
  }
}

function decodeCall(part: LanguageModelV4ToolCallPart): Block {
  return { type: "tool-call", id: part.toolCallId, name: part.toolName, input: toJson(part.input) };
}

function decodeResult({ toolCallId, toolName, output }: LanguageModelV4ToolResultPart): Block {
  return { type: "tool-result", callId: toolCallId, name: toolName, ...decodeOutput(output) };
}

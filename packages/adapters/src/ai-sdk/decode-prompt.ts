import type {
  LanguageModelV4CallOptions,
  LanguageModelV4FilePart,
  LanguageModelV4Message,
  LanguageModelV4Prompt,
  LanguageModelV4ReasoningPart,
  LanguageModelV4ToolResultOutput,
} from "@ai-sdk/provider";
import {
  type Block,
  type Conversation,
  type DocumentBlock,
  type ImageBlock,
  isJsonObject,
  type MediaSource,
  type Message,
  type OpaqueBlock,
  type RedactedThinkingBlock,
  type ResultBlock,
  type ThinkingBlock,
  type Tool,
  type ToolResultBlock,
  textBlock,
} from "@longhaul/conversation";
import { decodeEach, toJson } from "../translate.ts";

/** Decodes one message per message and one block per part. Leaves out provider options, which change from turn to turn. */
export function decodePrompt(
  prompt: LanguageModelV4Prompt,
  tools: LanguageModelV4CallOptions["tools"] = [],
): Conversation {
  const start = leadingInstructions(prompt);
  const instructions = prompt.slice(0, start).map(({ content }) => textBlock(String(content)));
  const messages = decodeEach(prompt.slice(start), { decode: decodeMessage, remedy: REMEDY, from: start });
  return { system: instructions, tools: tools.map(decodeTool), messages };
}

const REMEDY = "a message of the AI SDK; see its type ModelMessage";

/** Returns how many messages at the start are instructions. */
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

/** Calls and results of tools that the provider runs itself are kept or dropped whole. */
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
      return { type: "tool-call", id: part.toolCallId, name: part.toolName, input: toJson(part.input) };
    case "tool-result":
      return { type: "tool-result", callId: part.toolCallId, name: part.toolName, ...decodeOutput(part.output) };
    case "reasoning-file":
    case "custom":
    case "tool-approval-response":
      return opaque(part);
    default:
      return part satisfies never;
  }
}

export function decodeOutput(output: LanguageModelV4ToolResultOutput): Pick<ToolResultBlock, "content" | "isError"> {
  switch (output.type) {
    case "text":
    case "error-text":
      return { content: [textBlock(output.value)], isError: output.type === "error-text" };
    case "json":
    case "error-json":
      return { content: [textBlock(JSON.stringify(output.value))], isError: output.type === "error-json" };
    case "execution-denied":
      return { content: [textBlock(output.reason ?? "")], isError: true };
    case "content":
      return { content: output.value.map(decodeEntry), isError: false };
    default:
      return output satisfies never;
  }
}

type Entry = Extract<LanguageModelV4ToolResultOutput, { type: "content" }>["value"][number];

function decodeEntry(entry: Entry): ResultBlock {
  if (entry.type === "text") return textBlock(entry.text);
  return entry.type === "file" ? decodeFile(entry) : opaque(entry);
}

// The options in which Anthropic's, Google's and OpenAI's providers put data that only their vendor can read.
const REDACTED = "redactedData";
const SIGNATURES = ["signature", "thoughtSignature", "reasoningEncryptedContent"];

/** Decodes reasoning. Encrypted data in the options is part of it, because it counts as tokens too. */
export function decodeReasoning({
  text,
  providerOptions = {},
}: LanguageModelV4ReasoningPart): ThinkingBlock | RedactedThinkingBlock {
  for (const options of Object.values(providerOptions)) {
    const data = options[REDACTED];
    if (typeof data === "string") return { type: "redacted-thinking", data };
    const signature = SIGNATURES.map((key) => options[key]).find((value) => typeof value === "string");
    if (typeof signature === "string") return { type: "thinking", text, signature };
  }
  return { type: "thinking", text };
}

type File = Pick<LanguageModelV4FilePart, "type" | "data" | "mediaType" | "filename">;

/** Decodes a file as an image or a document. Other media, such as audio and video, are kept or dropped whole. */
export function decodeFile(file: File): ImageBlock | DocumentBlock | OpaqueBlock {
  const [kind] = file.mediaType.split("/");
  const title = file.filename === undefined ? {} : { title: file.filename };
  if (file.data.type === "text") return { type: "document", source: { kind: "text", text: file.data.text }, ...title };
  const source = sourceOf(file.data, file.mediaType);
  if (kind === "image") return { type: "image", source };
  if (kind === "application" || kind === "text") return { type: "document", source, ...title };
  return opaque({ type: file.type, ...source });
}

function sourceOf(data: Exclude<File["data"], { type: "text" }>, mediaType: string): MediaSource {
  switch (data.type) {
    case "data":
      return { kind: "base64", mediaType, data: typeof data.data === "string" ? data.data : toBase64(data.data) };
    case "url":
      return { kind: "url", url: data.url.toString(), mediaType };
    case "reference":
      return { kind: "file", id: JSON.stringify(data.reference), mediaType };
    default:
      return data satisfies never;
  }
}

/** Wraps a part that is kept or dropped whole. */
export function opaque(part: { readonly type: string; readonly providerOptions?: unknown }): OpaqueBlock {
  const { providerOptions: _, ...rest } = part;
  return { type: "opaque", kind: part.type.replaceAll("-", "_"), native: { wire: "ai-sdk", value: toJson(rest) } };
}

/** Bytes per call of `fromCharCode`. */
const CHUNK = 8_192;

/** Encodes bytes as base64 on every runtime that has `btoa`. */
export function toBase64(bytes: Uint8Array): string {
  let binary = "";
  for (let start = 0; start < bytes.length; start += CHUNK) {
    binary += String.fromCharCode(...bytes.subarray(start, start + CHUNK));
  }
  return btoa(binary);
}

import type {
  LanguageModelV4Message,
  LanguageModelV4Prompt,
  LanguageModelV4ToolResultOutput,
  LanguageModelV4ToolResultPart,
  SharedV4ProviderOptions,
} from "@ai-sdk/provider";
import type { Draft, KeptSlot } from "@longhaul/condense/advanced";
import {
  type Block,
  LonghaulError,
  type Message,
  type ResultBlock,
  type ToolResultBlock,
} from "@longhaul/conversation";
import { encodeDraft } from "../translate.ts";
import { leadingInstructions } from "./decode-prompt.ts";

/** Encodes a draft as a prompt. Unchanged messages are the identical objects. */
export function encodePrompt(draft: Draft, prompt: LanguageModelV4Prompt): LanguageModelV4Prompt {
  const start = leadingInstructions(prompt);
  const messages = encodeDraft(draft, prompt.slice(start), {
    write: writeMessage,
    rewrite: (original, slot) => rewriteMessage(original, slot, draft.raw.messages[slot.index]),
  });
  return [...prompt.slice(0, start), ...messages];
}

function writeMessage({ role, blocks }: Message): LanguageModelV4Message {
  const text = blocks.map(textOf).join("\n");
  return role === "system" ? { role, content: text } : { role, content: [{ type: "text", text }] };
}

function textOf(block: Block): string {
  if (block.type === "text") return block.text;
  throw new LonghaulError("internal.bug", `a ${block.type} block cannot be written for the AI SDK`);
}

type Content<Role> = Extract<LanguageModelV4Message, { role: Role }>["content"];
type Part = Content<"user" | "assistant" | "tool">[number];

function rewriteMessage(
  original: LanguageModelV4Message,
  { message, sources }: KeptSlot,
  raw: Message | undefined,
): LanguageModelV4Message {
  if (original.role === "system") return writeMessage(message);
  const content = original.content;
  const parts = message.blocks.map((block, index): Part => {
    const source = sources[index] ?? -1;
    const part = content[source];
    if (part === undefined) return { type: "text", text: textOf(block) };
    return detached(block === raw?.blocks[source] ? part : rewritePart(part, block));
  });
  return withContent(original, parts);
}

function rewritePart(part: Part, block: Block): Part {
  if (part.type === "tool-call" && block.type === "tool-call") return { ...part, input: block.input };
  if (part.type === "tool-result" && block.type === "tool-result") return { ...part, output: outputOf(part, block) };
  // Provider options belonged to the old text.
  return { type: "text", text: textOf(block) };
}

function outputOf(
  { output }: LanguageModelV4ToolResultPart,
  { content, isError }: ToolResultBlock,
): LanguageModelV4ToolResultOutput {
  const texts = content.flatMap((entry) => (entry.type === "text" ? [entry.text] : []));
  if (output.type !== "content" || texts.length === content.length) {
    return { type: isError ? "error-text" : "text", value: texts.join("\n") };
  }
  return { type: "content", value: content.map((entry, index) => entryOf(entry, output.value[index])) };
}

type Entry = Extract<LanguageModelV4ToolResultOutput, { type: "content" }>["value"][number];

/** The engine replaces an entry with a text but never moves one. */
function entryOf(entry: ResultBlock, original: Entry | undefined): Entry {
  if (entry.type === "text") return { type: "text", text: entry.text };
  if (original !== undefined) return original;
  throw new LonghaulError("internal.bug", `a ${entry.type} block was added to a tool's result`);
}

/** Removes the vendor's id of a stored part: OpenAI's provider would send a reference to the stored version instead. */
function detached<Some extends Part>(part: Some): Some {
  if (part.providerOptions === undefined) return part;
  const providerOptions: SharedV4ProviderOptions = Object.fromEntries(
    Object.entries(part.providerOptions).map(([provider, { itemId: _, ...rest }]) => [provider, rest]),
  );
  return { ...part, providerOptions };
}

function withContent(
  original: Exclude<LanguageModelV4Message, { role: "system" }>,
  parts: readonly Part[],
): LanguageModelV4Message {
  switch (original.role) {
    case "user":
      return { ...original, content: parts.filter(isUserPart) };
    case "assistant":
      return { ...original, content: parts.filter(isAssistantPart) };
    case "tool":
      return { ...original, content: parts.filter(isToolPart) };
    default:
      return original satisfies never;
  }
}

/** Also true for the SDK's own kinds of parts that a prompt does not have, such as `image`. */
function isUserPart(part: Part): part is Content<"user">[number] {
  return part.type !== "tool-call" && part.type !== "tool-result" && part.type !== "reasoning";
}

function isAssistantPart(part: Part): part is Content<"assistant">[number] {
  return part.type !== "tool-approval-response";
}

function isToolPart(part: Part): part is Content<"tool">[number] {
  return part.type === "tool-result" || part.type === "tool-approval-response";
}

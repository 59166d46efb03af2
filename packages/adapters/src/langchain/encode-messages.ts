import {
  AIMessage,
  type BaseMessage,
  type ContentBlock,
  HumanMessage,
  SystemMessage,
  ToolMessage,
} from "@langchain/core/messages";
import type { Draft, KeptSlot } from "@longhaul/condense/advanced";
import { type Block, isJsonObject, LonghaulError, type Message } from "@longhaul/conversation";
import { encodeDraft } from "../translate.ts";
import { contentParts, leadingInstructions } from "./decode-messages.ts";

/** Encodes a draft as messages. Unchanged messages are the identical objects. */
export function encodeMessages(draft: Draft, messages: readonly BaseMessage[]): BaseMessage[] {
  const start = leadingInstructions(messages);
  const rest = encodeDraft(draft, messages.slice(start), {
    write: writeMessage,
    rewrite: (original, slot) => rewriteMessage(original, slot, draft.raw.messages[slot.index]),
  });
  return [...messages.slice(0, start), ...rest];
}

function writeMessage({ role, blocks }: Message): BaseMessage {
  const text = blocks.map(textOf).join("\n");
  if (role === "assistant") return new AIMessage(text);
  return role === "system" ? new SystemMessage(text) : new HumanMessage(text);
}

function textOf(block: Block): string {
  if (block.type === "text") return block.text;
  throw new LonghaulError("internal.bug", `a ${block.type} block cannot be written for LangChain`);
}

/** Makes a message of the same kind and id. The provider's metadata is left out, because it described the old text. */
function rewriteMessage(original: BaseMessage, slot: KeptSlot, raw: Message | undefined): BaseMessage {
  const { id, name } = original;
  const identity = { ...(id !== undefined && { id }), ...(name !== undefined && { name }) };
  if (ToolMessage.isInstance(original)) return rewriteResult(original, slot, raw);
  const parts = partsOf(original, slot, raw);
  const isPlain = typeof original.content === "string";
  if (AIMessage.isInstance(original)) {
    const content = contentOf(parts, isPlain);
    const kwargs = withoutCalls(original.additional_kwargs);
    return new AIMessage({ ...identity, content, tool_calls: callsOf(original, slot), additional_kwargs: kwargs });
  }
  // A text that was added, such as the note, is never joined with the user's own words.
  const fields = { ...identity, content: contentOf(parts, isPlain && parts.length === 1) };
  return original.type === "system" ? new SystemMessage(fields) : new HumanMessage(fields);
}

type Content = string | ContentBlock[];

/** Returns the remaining content. */
function partsOf(original: BaseMessage, { message, sources }: KeptSlot, raw: Message | undefined): unknown[] {
  const parts = contentParts(original);
  return message.blocks.flatMap((block, index): unknown[] => {
    const source = sources[index] ?? -1;
    if (block.type === "tool-call") return [];
    return [block === raw?.blocks[source] ? parts[source] : textOf(block)];
  });
}

/** Writes texts as one if they were; not every model reads a list of parts in a tool's result. */
function contentOf(parts: readonly unknown[], isPlain: boolean): Content {
  const texts = parts.filter((part) => typeof part === "string");
  if (isPlain && texts.length === parts.length) return texts.join("\n");
  return parts.map((part) => (isContentBlock(part) ? part : { type: "text", text: String(part) }));
}

function isContentBlock(part: unknown): part is ContentBlock {
  return isJsonObject(part) && typeof part.type === "string";
}

function callsOf({ tool_calls: calls = [] }: AIMessage, { message }: KeptSlot): NonNullable<AIMessage["tool_calls"]> {
  return message.blocks.flatMap((block) => {
    if (block.type !== "tool-call") return [];
    const original = calls.find(({ id = "", name }) => id === block.id && name === block.name);
    const args = isJsonObject(block.input) ? { ...block.input } : (original?.args ?? {});
    return [{ ...original, type: "tool_call" as const, id: block.id, name: block.name, args }];
  });
}

// OpenAI's calls in wire format, which some providers send instead of `tool_calls`.
const CALLS_ON_THE_WIRE = new Set(["tool_calls", "function_call"]);

function withoutCalls(kwargs: Record<string, unknown>): Record<string, unknown> {
  return Object.fromEntries(Object.entries(kwargs).filter(([key]) => !CALLS_ON_THE_WIRE.has(key)));
}

function rewriteResult(original: ToolMessage, { message }: KeptSlot, raw: Message | undefined): ToolMessage {
  const [result] = message.blocks;
  const [before] = raw?.blocks ?? [];
  if (result?.type !== "tool-result" || before?.type !== "tool-result") return original;
  const parts = contentParts(original);
  const left = result.content.map((block, index) => (block === before.content[index] ? parts[index] : textOf(block)));
  const { id, name, status, artifact, tool_call_id } = original;
  return new ToolMessage({
    content: contentOf(left, typeof original.content === "string"),
    tool_call_id,
    artifact,
    ...(id !== undefined && { id }),
    ...(name !== undefined && { name }),
    ...(status !== undefined && { status }),
  });
}

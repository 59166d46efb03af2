import { type Block, type Message, type Request, textBlock, textMessage } from "@longhaul/conversation/advanced";
import type { AdaptContext } from "../codec/rules.ts";
import { withMessages } from "./blocks.ts";

/** Puts the messages in the order of roles that the format requires. */
export function adaptRoles(request: Request, context: AdaptContext): Request {
  const merged = mergeNeighbours(request.conversation.messages, context);
  return withMessages(request, endWithUser(openWithUser(merged, context), context));
}

/** Merges adjacent messages of one role. Two that the client itself sent in this format stay separate. */
function mergeNeighbours(messages: readonly Message[], { rules }: AdaptContext): readonly Message[] {
  const merged: Message[] = [];
  for (const message of messages) {
    const before = merged.at(-1);
    const isNeighbour = before?.role === message.role && rules.merges.includes(message.role);
    const isClients = before?.native?.wire === rules.wire && message.native?.wire === rules.wire;
    if (before !== undefined && isNeighbour && !isClients) merged[merged.length - 1] = mergeTwo(before, message);
    else merged.push(message);
  }
  return merged.length === messages.length ? messages : merged;
}

function mergeTwo(before: Message, message: Message): Message {
  const blocks = [...before.blocks, ...message.blocks];
  const hasExtra = before.extra !== undefined || message.extra !== undefined;
  return { role: message.role, blocks, ...(hasExtra && { extra: { ...before.extra, ...message.extra } }) };
}

/** User message inserted before a conversation that starts with the assistant. A compaction block may come first. */
export const OPENING = "(The conversation so far is not shown.)";

function openWithUser(messages: readonly Message[], { rules, warn }: AdaptContext): readonly Message[] {
  const [first] = messages;
  if (!rules.opensWithUser || first?.role !== "assistant" || first.blocks[0]?.type === "compaction") return messages;
  warn("message.opening", "changed", `${rules.wire} requires a user message first; one was added`);
  return [textMessage("user", OPENING), ...messages];
}

/** User message appended after an assistant message if the model does not support prefill. */
export const CONTINUE = "Continue.";

function endWithUser(messages: readonly Message[], { destination, warn }: AdaptContext): readonly Message[] {
  const last = messages.at(-1);
  // A compaction block is not a prefill: the model continues from it.
  const isSummary = last?.blocks.every(({ type }) => type === "compaction") === true;
  if (destination.prefill !== false || last?.role !== "assistant" || isSummary) return messages;
  warn("message.prefill", "changed", "the model requires a user message last; one was added");
  return [...messages, textMessage("user", CONTINUE)];
}

/**
 * Turns system messages after the start into tagged user messages if the destination does not allow them. They are not moved to the system
 * prompt, because that would lose their position and change the prompt's bytes.
 */
export function markSystemMessages(request: Request, context: AdaptContext): Request {
  const { rules, destination, isNative, warn } = context;
  const allowed = destination.systemMessages ?? (rules.systemMessages === "client" ? isNative : rules.systemMessages);
  const { messages } = request.conversation;
  if (allowed || !messages.some(({ role }) => role === "system")) return request;
  const marked = messages.map((message): Message => {
    if (message.role !== "system") return message;
    warn("message.system", "changed", "sent as a tagged user message");
    return systemAsUser(message);
  });
  return withMessages(request, marked);
}

/** Returns a system message as a tagged user message. */
export function systemAsUser({ blocks }: Message): Message {
  return { role: "user", blocks: blocks.map(markText) };
}

function markText(block: Block): Block {
  if (block.type !== "text") return block;
  const marked = textBlock(`<system-reminder>\n${block.text}\n</system-reminder>`);
  return block.cache === undefined ? marked : { ...marked, cache: block.cache };
}

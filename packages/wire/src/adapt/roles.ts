import { type Block, type Message, type Request, textBlock, textMessage } from "@longhaul/conversation";
import type { AdaptContext } from "../codec/rules.ts";
import { withMessages } from "./blocks.ts";

/** Puts the messages in the order of roles that the format demands. */
export function adaptRoles(request: Request, context: AdaptContext): Request {
  const merged = mergeNeighbours(request.conversation.messages, context);
  return withMessages(request, endWithUser(openWithUser(merged, context), context));
}

/** Writes neighbours of one role as one message. Two that the client itself sent side by side in this format stay as they are. */
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
  const extra = before.extra === undefined && message.extra === undefined ? {} : mergeExtra(before, message);
  return { role: message.role, blocks: [...before.blocks, ...message.blocks], ...extra };
}

function mergeExtra(before: Message, message: Message): Pick<Message, "extra"> {
  return { extra: { ...before.extra, ...message.extra } };
}

/** Stands before a conversation that the assistant opens; a vendor's own summary of what came before may open it. */
export const OPENING = "(The conversation so far is not shown.)";

function openWithUser(messages: readonly Message[], { rules, warn }: AdaptContext): readonly Message[] {
  const [first] = messages;
  if (!rules.opensWithUser || first?.role !== "assistant" || first.blocks[0]?.type === "compaction") return messages;
  const message = `${rules.wire} wants the user to speak first`;
  warn({ feature: "message.opening", action: "changed", message });
  return [textMessage("user", OPENING), ...messages];
}

/** Stands after the assistant's words, where the model does not go on from them by itself. */
export const CONTINUE = "Continue.";

function endWithUser(messages: readonly Message[], { destination, warn }: AdaptContext): readonly Message[] {
  const last = messages.at(-1);
  // A summary alone is no beginning of an answer: the model goes on from it.
  const isSummary = last?.blocks.every(({ type }) => type === "compaction") === true;
  if (destination.prefill !== false || last?.role !== "assistant" || isSummary) return messages;
  warn({ feature: "message.prefill", action: "changed", message: `the model wants the user to speak last` });
  return [...messages, textMessage("user", CONTINUE)];
}

/**
 * Where the target has no system messages in mid-conversation, each becomes a marked user text where it stands: never part of the system
 * prompt, because there it would be read out of its place and change the prompt's bytes.
 */
export function markSystemMessages(request: Request, context: AdaptContext): Request {
  const { rules, destination, isNative, warn } = context;
  const allowed = destination.systemMessages ?? (rules.systemMessages === "client" ? isNative : rules.systemMessages);
  const { messages } = request.conversation;
  if (allowed || !messages.some(({ role }) => role === "system")) return request;
  const marked = messages.map((message): Message => {
    if (message.role !== "system") return message;
    warn({ feature: "message.system", action: "changed", message: "given as a marked user text in its place" });
    return systemAsUser(message);
  });
  return withMessages(request, marked);
}

/** Returns a system message as a marked user message. */
export function systemAsUser({ blocks }: Message): Message {
  return { role: "user", blocks: blocks.map(markText) };
}

function markText(block: Block): Block {
  if (block.type !== "text") return block;
  const marked = textBlock(`<system-reminder>\n${block.text}\n</system-reminder>`);
  return block.cache === undefined ? marked : { ...marked, cache: block.cache };
}

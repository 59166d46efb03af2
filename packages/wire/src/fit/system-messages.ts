import { type Block, type Message, type Request, textBlock } from "@longhaul/conversation";
import type { Fitting } from "../codec/rules.ts";
import { withMessages } from "./blocks.ts";

/**
 * Where the target has no system messages in mid-conversation, each becomes a marked user text where it stands: never part of the system
 * prompt, because there it would be read out of its place and change the prompt's bytes.
 */
export function markSystemMessages(request: Request, fitting: Fitting): Request {
  const { rules, target, isNative, warn } = fitting;
  const allowed = target.systemMessages ?? (rules.systemMessages === "client" ? isNative : rules.systemMessages);
  const { messages } = request.conversation;
  if (allowed || !messages.some(({ role }) => role === "system")) return request;
  const marked = messages.map((message): Message => {
    if (message.role !== "system") return message;
    warn({ feature: "message.system", action: "changed", message: "given as a marked user text in its place" });
    return asMarkedUser(message);
  });
  return withMessages(request, marked);
}

/** Returns a system message as a marked user message. */
export function asMarkedUser({ blocks }: Message): Message {
  return { role: "user", blocks: blocks.map(markText) };
}

function markText(block: Block): Block {
  if (block.type !== "text") return block;
  const marked = textBlock(`<system-reminder>\n${block.text}\n</system-reminder>`);
  return block.cache === undefined ? marked : { ...marked, cache: block.cache };
}

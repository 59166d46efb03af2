import type { Message } from "@longhaul/conversation";

/**
 * Adds an item of the Responses format to the messages so far. The items that a model gave one after the other are one reply, and so one
 * message, unless `isNewReply` says that another call gave this one.
 */
export function addItem(messages: Message[], item: Message, isNewReply = false): void {
  const last = messages.at(-1);
  const continues = !isNewReply && item.role === "assistant" && last?.role === "assistant";
  if (continues) messages[messages.length - 1] = { role: "assistant", blocks: [...last.blocks, ...item.blocks] };
  else messages.push(item);
}

import type { Block, Conversation, Message, Tool } from "@longhaul/conversation";
import type { TokenCounter } from "@longhaul/models";

/** Counts four characters as a token and three tokens for each message: quick, exact to reason about, and additive. */
export function makeCounter(): TokenCounter {
  const remembered = new WeakMap<Message, number>();
  const countText = (text: string) => Math.ceil(text.length / 4);
  const countBlock = (block: Block): number => {
    switch (block.type) {
      case "text":
      case "thinking":
        return countText(block.text);
      case "tool-call":
        return countText(block.name + JSON.stringify(block.input));
      case "tool-result":
        return 1 + block.content.reduce((sum, entry) => sum + countBlock(entry), 0);
      case "image":
        return 300;
      case "redacted-thinking":
        return countText(block.data);
      default:
        return countText(JSON.stringify(block));
    }
  };
  const sumOf = (blocks: readonly Block[]) => blocks.reduce((sum, block) => sum + countBlock(block), 0);
  const countMessage = (message: Message) => {
    const known = remembered.get(message) ?? 3 + sumOf(message.blocks);
    remembered.set(message, known);
    return known;
  };
  const countTools = (tools: readonly Tool[]) => tools.reduce((sum, tool) => sum + countText(JSON.stringify(tool)), 0);
  const countConversation = ({ system, tools, messages }: Conversation) =>
    sumOf(system) + countTools(tools) + messages.reduce((sum, message) => sum + countMessage(message), 0);
  return { countText, countBlock, countMessage, countSystem: sumOf, countTools, countConversation };
}

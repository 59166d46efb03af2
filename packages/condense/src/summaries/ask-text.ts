import type { Block, Message } from "@longhaul/conversation";
import type { Ask } from "../edits/edit.ts";

/** What an ask says when it is put to a model as text: the instructions, and the messages between two rules. */
export function renderAsk(ask: Ask): string {
  const previous =
    ask.previous === undefined ? "" : `\nThe summary so far, to be brought up to date:\n---\n${ask.previous}\n---\n`;
  const conversation = `---\n${renderMessages(ask.messages)}\n---\n`;
  if (!ask.instructions.includes(MESSAGES_HERE))
    return `${ask.instructions}\n${previous}\nConversation:\n${conversation}`;
  return ask.instructions.replace(MESSAGES_HERE, () => `${previous}${conversation}`);
}

/** Where a prompt of the user's own wants the messages. */
const MESSAGES_HERE = "{formatted_messages}";

/** Messages as plain text, tool calls and results included, so that a summariser needs no tools of its own. */
export function renderMessages(messages: readonly Message[]): string {
  return messages
    .map((message) => `[${message.role}]\n${message.blocks.map(renderBlock).filter(Boolean).join("\n")}`)
    .join("\n\n");
}

function renderBlock(block: Block): string {
  switch (block.type) {
    case "text":
      return block.text;
    case "image":
      return "[Referenced image in conversation]";
    case "document":
      return `[Document${block.title === undefined ? "" : `: ${block.title}`}]`;
    case "tool-call":
      return `[Tool call: ${block.name}]\n${typeof block.input === "string" ? block.input : JSON.stringify(block.input)}`;
    case "tool-result":
      return `[Tool result${block.isError ? " (error)" : ""}]\n${block.content.map(renderBlock).join("\n")}`;
    case "thinking":
    case "redacted-thinking":
      return "";
    case "compaction":
      return block.text ?? "";
    case "opaque":
      return `[${block.kind}]`;
    default:
      return block satisfies never;
  }
}

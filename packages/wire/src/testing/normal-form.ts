import type { Block, Conversation, Message, Reply } from "@longhaul/conversation/advanced";

/** Returns a conversation without native and extra data, with adjacent messages of one role merged. */
export function normalConversation({ system, tools, messages }: Conversation): Conversation {
  return {
    system: system.map(bareBlock),
    tools: tools.map(({ native: _, extra: _extra, ...tool }) => tool),
    messages: mergeAll(messages.map(({ role, blocks }) => ({ role, blocks: blocks.map(bareBlock) }))),
  };
}

/** Returns a reply without native and extra data. */
export function normalReply({ native: _, extra: _extra, blocks, ...reply }: Reply): Reply {
  return { ...reply, blocks: blocks.map(bareBlock) };
}

function bareBlock(block: Block): Block {
  if (block.type === "opaque") return block;
  const { native: _, extra: _extra, ...bare } = block;
  if (bare.type !== "tool-result") return bare;
  return { ...bare, content: bare.content.map(barePart) };
}

function barePart<T extends Block>(part: T): T {
  if (part.type === "opaque") return part;
  const { native: _, extra: _extra, ...bare } = part;
  return bare as T;
}

function mergeAll(messages: readonly Message[]): readonly Message[] {
  const merged: Message[] = [];
  for (const message of messages) {
    const before = merged.at(-1);
    if (before?.role !== message.role) merged.push(message);
    else merged[merged.length - 1] = { role: before.role, blocks: [...before.blocks, ...message.blocks] };
  }
  return merged;
}

/** Replaces each block by any number of blocks. A message that loses all its blocks is removed. */
export function replaceBlocks(
  conversation: Conversation,
  replace: (block: Block, message: Message) => readonly Block[],
): Conversation {
  const messages = conversation.messages.flatMap((message) => {
    const blocks = message.blocks.flatMap((block) => replace(block, message));
    return blocks.length === 0 ? [] : [{ ...message, blocks }];
  });
  return { ...conversation, messages };
}

/** Returns a conversation without cache marks. */
export function withoutMarks(conversation: Conversation): Conversation {
  const bare = <T extends object>(owner: T): T => {
    const { cache: _, ...rest } = owner as T & { cache?: unknown };
    return rest as T;
  };
  return {
    system: conversation.system.map(bare),
    tools: conversation.tools.map(bare),
    messages: conversation.messages.map((message) => ({
      ...message,
      blocks: message.blocks.map((block) => {
        const plain = bare(block);
        return plain.type === "tool-result" ? { ...plain, content: plain.content.map(bare) } : plain;
      }),
    })),
  };
}

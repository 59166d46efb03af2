import fc from "fast-check";
import type { Block } from "../block.ts";
import type { Conversation, Message } from "../message.ts";
import { anyBlock } from "./any-block.ts";
import { anyConversation, type ConversationSize } from "./any-conversation.ts";
import { anyBlankText, anyBrokenText } from "./any-text.ts";
import { makeMessage, makeText } from "./make.ts";

/**
 * A conversation from a careless client: orphaned calls and results, duplicate ids, blank and broken texts, messages without blocks, any
 * block in any role, roles in any order. It has at least one message.
 */
export function anyMessyConversation(size: ConversationSize = {}): fc.Arbitrary<Conversation> {
  return fc
    .tuple(anyConversation(size), fc.array(anyDamage(), { minLength: 1, maxLength: 5 }))
    .map(([sound, damages]) => ({
      ...sound,
      messages: damages.reduce<readonly Message[]>((messages, damage) => damage(messages), sound.messages),
    }));
}

type Damage = (messages: readonly Message[]) => readonly Message[];

function anyDamage(): fc.Arbitrary<Damage> {
  return fc.oneof<fc.Arbitrary<Damage>[]>(
    fc.nat().map(dropMessage),
    fc.nat().map(dropBlock),
    fc.tuple(fc.nat(), fc.oneof(anyBlankText(), anyBrokenText())).map(addText),
    fc.tuple(fc.nat(), anyStrayMessage()).map(insertMessage),
    fc.nat().map(repeatMessage),
    fc.constant(reuseIds),
  );
}

function anyStrayMessage(): fc.Arbitrary<Message> {
  const role = fc.constantFrom("user" as const, "assistant" as const, "system" as const);
  return fc.tuple(role, fc.array(anyBlock(), { maxLength: 3 })).map(([who, blocks]) => makeMessage(who, blocks));
}

function dropMessage(seed: number): Damage {
  return (messages) => (messages.length < 2 ? messages : messages.toSpliced(seed % messages.length, 1));
}

function dropBlock(seed: number): Damage {
  return (messages) =>
    changeMessage(messages, seed, (blocks) => blocks.toSpliced(seed % Math.max(1, blocks.length), 1));
}

function addText([seed, text]: readonly [number, string]): Damage {
  return (messages) =>
    changeMessage(messages, seed, (blocks) => blocks.toSpliced(seed % (blocks.length + 1), 0, makeText(text)));
}

function insertMessage([seed, message]: readonly [number, Message]): Damage {
  return (messages) => messages.toSpliced(seed % (messages.length + 1), 0, message);
}

function repeatMessage(seed: number): Damage {
  return (messages) =>
    messages.flatMap((message, index) => (index === seed % messages.length ? [message, message] : [message]));
}

/** Replaces the ids of all calls and results with only two different ones. */
function reuseIds(messages: readonly Message[]): readonly Message[] {
  const shared = (id: string) => `call_${id.length % 2}`;
  return messages.map((message) => ({
    ...message,
    blocks: message.blocks.map((block): Block => {
      if (block.type === "tool-call") return { ...block, id: shared(block.id) };
      return block.type === "tool-result" ? { ...block, callId: shared(block.callId) } : block;
    }),
  }));
}

function changeMessage(
  messages: readonly Message[],
  seed: number,
  change: (blocks: readonly Block[]) => readonly Block[],
): readonly Message[] {
  const at = seed % messages.length;
  return messages.map((message, index) => (index === at ? { ...message, blocks: change(message.blocks) } : message));
}

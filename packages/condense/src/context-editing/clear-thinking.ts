import { type ClearThinking, type Message, type Turn, turns } from "@longhaul/conversation";
import type { Pass } from "../contract/strategy.ts";
import { dropThinking } from "../passes/thinking.ts";

/** The turns whose thinking goes, oldest first: all that have any but the latest ones. */
export function turnsToClear(messages: readonly Message[], { keepTurns }: ClearThinking): readonly Turn[] {
  if (keepTurns === "all") return [];
  const thinking = turns(messages).filter(({ from, to }) => messages.slice(from, to).some(hasThinking));
  return thinking.slice(0, Math.max(0, thinking.length - keepTurns));
}

function hasThinking({ blocks }: Message): boolean {
  return blocks.some(({ type }) => type === "thinking" || type === "redacted-thinking");
}

/** Takes the thinking of older turns out. */
export function clearThinkingPass(edit: ClearThinking): Pass {
  return {
    id: edit.kind,
    name: "Clear thinking",
    plan: ({ conversation: { messages } }) => {
      const latest = turnsToClear(messages, edit).at(-1);
      return latest === undefined ? [] : dropThinking(messages, 0, latest.to);
    },
  };
}

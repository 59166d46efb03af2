import type { Message } from "@longhaul/conversation";
import type { View } from "../contract/view.ts";
import { sum } from "../edits/lists.ts";
import type { Range } from "../summaries/ranges.ts";

/** Share of the target that the newest messages keep whatever else must go; the newest step keeps what it has. */
const END_SHARE = 0.5;

/** The part of a conversation between its start and its end, which are kept as they are. */
export function middleRange(view: View, startShare: number): Range {
  const cuts = view.cuts();
  const room = roomForMessages(view);
  let from = 0;
  for (let index = 0, used = 0; index < view.messageTokens.length; index++) {
    used += view.messageTokens[index] ?? 0;
    if (used > room * startShare) break;
    if (cuts[index + 1] === true) from = index + 1;
  }
  const end = view.messageTokens.length;
  let to = end;
  for (let index = end - 1, used = 0; index > from; index--) {
    used += view.messageTokens[index] ?? 0;
    // An agent that never sees what it just asked for asks for it again, and again.
    if (used > room * END_SHARE && to < end) break;
    if (cuts[index] === true) to = index;
  }
  return { from, to };
}

/** What the target leaves for messages, once the system prompt and the tools have theirs. */
function roomForMessages({ limits, tokens, messageTokens }: View): number {
  const fixed = tokens - sum(messageTokens);
  return Math.max(0, limits.targetTokens - fixed);
}

/** Who a message belongs to: `fixed` ones are never dropped, neither are those of a `tool`. */
export type Kind = "fixed" | "tool" | "user" | "assistant";

/** The kind of every message. */
export function messageKinds(view: View): Kind[] {
  const { contents, ownWords } = view.contents();
  const toolMessages = new Set<number>();
  for (const { at, use } of contents) if (use !== undefined && !CLIENTS_OWN.has(use.name)) toolMessages.add(at.message);
  return view.conversation.messages.map((message, index) => {
    if (isFixed(message) || index === view.latestUserMessage || view.isMade(index)) return "fixed";
    if (toolMessages.has(index) || message.blocks.some(isToolBlock)) return "tool";
    return ownWords[index] === true ? "user" : "assistant";
  });
}

/** What clients add to the user's messages on their own account. */
const CLIENTS_OWN: ReadonlySet<string> = new Set(["environment_details", "client_note"]);

function isFixed({ role, blocks }: Message): boolean {
  return role === "system" || blocks.some((block) => block.type === "compaction");
}

function isToolBlock({ type }: Message["blocks"][number]): boolean {
  return type === "tool-call" || type === "tool-result";
}

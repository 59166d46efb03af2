import { type Message, toolPairs } from "@longhaul/conversation";

/** Two messages that are kept or dropped together, including everything between them. */
export interface Link {
  readonly from: number;
  readonly to: number;
}

/**
 * Returns where a conversation may be cut: entry `i` is true if the messages before `i` may be dropped while those from `i` on stay. A cut
 * never separates a tool call from its result, or a message with only reasoning from the message after it.
 */
export function legalCuts(messages: readonly Message[], links: readonly Link[] = []): boolean[] {
  const spans = Array.from({ length: messages.length + 2 }, () => 0);
  for (const { from, to } of [...pairLinks(messages), ...thinkingLinks(messages), ...links]) {
    spans[from + 1] = (spans[from + 1] ?? 0) + 1;
    spans[to + 1] = (spans[to + 1] ?? 0) - 1;
  }
  let open = 0;
  return spans.slice(0, -1).map((change, index) => {
    open += change;
    return open === 0 || index === messages.length;
  });
}

function pairLinks(messages: readonly Message[]): Link[] {
  return toolPairs(messages).pairs.flatMap(({ call, result }) =>
    result === undefined ? [] : [{ from: call.message, to: result.message }],
  );
}

function thinkingLinks(messages: readonly Message[]): Link[] {
  return [...messages.keys()]
    .filter((index) => isThinkingAlone(messages[index]))
    .map((from) => ({ from, to: from + 1 }));
}

function isThinkingAlone(message: Message | undefined): boolean {
  if (message?.role !== "assistant" || message.blocks.length === 0) return false;
  return message.blocks.every((block) => block.type === "thinking" || block.type === "redacted-thinking");
}

/** Returns the nearest legal cut at or below (`down`), or at or above (`up`), an index. 0 and the end are always legal. */
export function nearestCut(legal: readonly boolean[], at: number, direction: "down" | "up"): number {
  const step = direction === "down" ? -1 : 1;
  let index = Math.min(Math.max(at, 0), legal.length - 1);
  while (legal[index] === false) index += step;
  return index;
}

import { reasonFromMarkers } from "@longhaul/condense";
import type { Conversation } from "@longhaul/conversation";
import { blocksOf, type Pair, type Placed, spellBlock } from "./blocks.ts";

/**
 * The blocks of two conversations beside each other, where only both texts are known. They may have come in different formats, which cut
 * messages differently, so blocks are paired, not messages: tool uses by their ids, all else by what it says.
 */
export function pairBodies(before: Conversation, after: Conversation): Pair[] {
  const [earlier, later] = [blocksOf(before), blocksOf(after)];
  const matches = matchBlocks(earlier.map(keyOf), later.map(keyOf));
  const pairs: Pair[] = [];
  let told = 0;
  let added: Placed[] = [];
  const close = (to: number) => {
    pairs.push(...pairGap(earlier.slice(told, to), added));
    added = [];
    told = to;
  };
  for (const [position, placed] of later.entries()) {
    const match = matches[position];
    const found = match === undefined ? undefined : earlier[match];
    if (match === undefined || found === undefined) {
      added.push(placed);
      continue;
    }
    close(match);
    pairs.push({ before: found, after: placed });
    told = match + 1;
  }
  close(earlier.length);
  return pairs;
}

function keyOf({ role, block }: Placed): string {
  if (block.type === "tool-call") return `call ${block.id}`;
  if (block.type === "tool-result") return `result ${block.callId}`;
  return `${block.type} ${block.type === "text" ? role : ""} ${spellBlock(block)}`;
}

/**
 * For each later key the position of the earlier one that it is, in order. What both begin with comes first; of what follows, the latest of
 * the same words is taken, because the end of a conversation is what stays.
 */
export function matchBlocks(earlier: readonly string[], later: readonly string[]): (number | undefined)[] {
  const matches: (number | undefined)[] = later.map(() => undefined);
  let start = 0;
  while (start < later.length && earlier[start] === later[start]) matches[start] = start++;
  const positions = new Map<string, number[]>();
  for (let at = start; at < earlier.length; at++) {
    const key = earlier[at] ?? "";
    const known = positions.get(key);
    if (known === undefined) positions.set(key, [at]);
    else known.push(at);
  }
  let limit = earlier.length;
  for (let position = later.length - 1; position >= start; position--) {
    const known = positions.get(later[position] ?? "") ?? [];
    while ((known.at(-1) ?? -1) >= limit) known.pop();
    const match = known.pop();
    if (match === undefined) continue;
    matches[position] = match;
    limit = match;
  }
  return matches;
}

/** What was left out between two blocks that stayed, beside what was added there. A text that was cut still begins as it did. */
function pairGap(gone: readonly Placed[], added: readonly Placed[]): Pair[] {
  const changed = new Map<Placed, Placed>();
  for (const after of added) {
    const before = gone.find((placed) => !changed.has(placed) && isCutFrom(placed, after));
    if (before !== undefined) changed.set(before, after);
  }
  const cut = new Set(changed.values());
  const made = added.filter((placed) => !cut.has(placed));
  const [standIn] = made;
  return [
    ...gone.map((before): Pair => {
      const after = changed.get(before);
      return { before, ...(after ? { after } : standIn && { standIn }) };
    }),
    ...made.map((after) => ({ after })),
  ];
}

const SAME_START_CHARS = 16;

function isCutFrom(before: Placed, after: Placed): boolean {
  if (before.block.type !== "text" || after.block.type !== "text" || before.role !== after.role) return false;
  const [text, cut] = [before.block.text, after.block.text];
  return (
    text.slice(0, SAME_START_CHARS) === cut.slice(0, SAME_START_CHARS) && reasonFromMarkers(text, cut) !== undefined
  );
}

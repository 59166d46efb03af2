import { reasonFromMarks } from "@longhaul/condense/advanced";
import type { Conversation } from "@longhaul/conversation";
import { blocksOf, blockText, type LocatedBlock, type Pair } from "./blocks.ts";

/** Pairs blocks, not messages, because formats split messages differently: tool uses by id, all others by their text. */
export function pairBodies(before: Conversation, after: Conversation): Pair[] {
  const [earlier, later] = [blocksOf(before), blocksOf(after)];
  const matches = matchBlocks(earlier.map(keyOf), later.map(keyOf));
  const pairs: Pair[] = [];
  let next = 0;
  let added: LocatedBlock[] = [];
  const close = (to: number) => {
    pairs.push(...pairGap(earlier.slice(next, to), added));
    added = [];
    next = to;
  };
  for (const [position, located] of later.entries()) {
    const match = matches[position];
    const found = match === undefined ? undefined : earlier[match];
    if (match === undefined || found === undefined) {
      added.push(located);
      continue;
    }
    close(match);
    pairs.push({ before: found, after: located });
    next = match + 1;
  }
  close(earlier.length);
  return pairs;
}

function keyOf({ role, block }: LocatedBlock): string {
  if (block.type === "tool-call") return `call ${block.id}`;
  if (block.type === "tool-result") return `result ${block.callId}`;
  return `${block.type} ${block.type === "text" ? role : ""} ${blockText(block)}`;
}

/** Returns each later key's earlier match, in order: after the common beginning the latest, because condensing keeps the end. */
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

/** Pairs the blocks that were removed between two unchanged ones with those added there. A shortened text keeps its beginning. */
function pairGap(gone: readonly LocatedBlock[], added: readonly LocatedBlock[]): Pair[] {
  const changed = new Map<LocatedBlock, LocatedBlock>();
  for (const after of added) {
    const before = gone.find((placed) => !changed.has(placed) && isCutFrom(placed, after));
    if (before !== undefined) changed.set(before, after);
  }
  const cut = new Set(changed.values());
  const made = added.filter((placed) => !cut.has(placed));
  const [replacement] = made;
  return [
    ...gone.map((before): Pair => {
      const after = changed.get(before);
      return { before, ...(after ? { after } : replacement && { replacement }) };
    }),
    ...made.map((after) => ({ after })),
  ];
}

const SAME_START_CHARS = 16;

function isCutFrom(before: LocatedBlock, after: LocatedBlock): boolean {
  if (before.block.type !== "text" || after.block.type !== "text" || before.role !== after.role) return false;
  const [text, cut] = [before.block.text, after.block.text];
  return text.slice(0, SAME_START_CHARS) === cut.slice(0, SAME_START_CHARS) && reasonFromMarks(text, cut) !== undefined;
}

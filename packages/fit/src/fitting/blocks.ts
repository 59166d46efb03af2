import type { Projection } from "@longhaul/condense";
import type { CompactionBlock } from "@longhaul/conversation";
import { isCompaction } from "../compaction/strip-reply.ts";

/** The vendors' own summaries that a projection puts into a conversation. */
export function blocksIn(projection: Projection): readonly CompactionBlock[] {
  const blocks = found.get(projection) ?? findBlocks(projection);
  found.set(projection, blocks);
  return blocks;
}

const found = new WeakMap<Projection, readonly CompactionBlock[]>();

function findBlocks({ entries }: Projection): readonly CompactionBlock[] {
  return entries.flatMap((entry) => (entry.kind === "made" ? entry.message.blocks.filter(isCompaction) : []));
}

/** Whether a projection stands on a vendor's own summary. */
export function holdsBlock(projection: Projection): boolean {
  return blocksIn(projection).length > 0;
}

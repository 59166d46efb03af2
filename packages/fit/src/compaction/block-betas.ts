import type { Block, Message } from "@longhaul/conversation";
import type { Model } from "@longhaul/models";
import { isCompaction } from "./strip-reply.ts";

/**
 * The betas that a request needs for the compaction blocks in it, whatever else it asks for: a block that was asked for is signed and has
 * a beta of its own. None for models whose blocks need none.
 */
export function blockBetas(messages: readonly Message[], { betas }: Pick<Model, "betas">): readonly string[] {
  const blocks = messages.flatMap((message) => message.blocks).filter(isCompaction);
  const needed = blocks.map((block) => betas[isSigned(block) ? "compaction-on-demand" : "compaction-threshold"]);
  return [...new Set(needed)].filter((beta) => beta !== undefined);
}

function isSigned({ extra }: Block): boolean {
  return typeof extra?.signature === "string";
}

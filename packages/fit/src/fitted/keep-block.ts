import type { CompactionBlock } from "@longhaul/conversation";
import type { Epoch } from "@longhaul/store";
import { keep } from "../turn/condense.ts";
import type { Fitted } from "../turn/fit.ts";
import { renderBlock } from "../turn/render-block.ts";

/** Keeps the block that a vendor put before its answer: it stands for all messages of the request that brought it. */
export async function keepBlock({ turn, form }: Fitted, block: CompactionBlock): Promise<Epoch> {
  const messages = turn.history.messages.length;
  // What the summary cost is part of what the request cost.
  const condensed = await renderBlock(turn, form, { block, messages, costUsd: 0 });
  return await keep(turn, condensed, { from: form, reads: "head" });
}

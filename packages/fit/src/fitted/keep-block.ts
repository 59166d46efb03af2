import type { CompactionBlock } from "@longhaul/conversation";
import type { Epoch } from "@longhaul/store";
import { keep } from "../fitting/condense.ts";
import type { Fitted } from "../fitting/fit.ts";
import { renderBlock } from "../fitting/render-block.ts";

/** Keeps the block that a vendor put before its answer: it stands for all messages of the request that brought it. */
export async function keepBlock({ fitRequest, form }: Fitted, block: CompactionBlock): Promise<Epoch> {
  const messages = fitRequest.history.messages.length;
  // What the summary cost is part of what the request cost.
  const condensed = await renderBlock(fitRequest, form, { block, messages, costUsd: 0 });
  return await keep(fitRequest, condensed, { from: form, reads: "head" });
}

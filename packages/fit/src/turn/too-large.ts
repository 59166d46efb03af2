import { describeMisfit } from "@longhaul/condense";
import { LonghaulError } from "@longhaul/conversation";
import type { Condensed } from "../work/work.ts";
import type { Turn } from "./turn.ts";

/** Says what is too large and by how much, in numbers that clients read. */
export function tooLarge({ history, limits }: Turn, { report, misfits }: Condensed): LonghaulError {
  const others = misfits.filter(({ what }) => what !== "tokens");
  if (others.length > 0) {
    return new LonghaulError(
      "request.too-large",
      `${others.map(describeMisfit).join("; ")}; take it out of the request`,
    );
  }
  const { windowTokens } = limits;
  // A window may be smaller than the answer that it leaves room for.
  const budgetTokens = Math.max(0, limits.budgetTokens);
  const over = report.tokensAfter - budgetTokens;
  const parts = `system and tools take ${history.headTokens} tokens, the last message ${history.messageTokens.at(-1) ?? 0}`;
  const rule = `What must stay of this request is ${over} tokens over the ${budgetTokens} that may be sent`;
  const advice = `${rule}: ${parts}; shorten them, or use a model with a larger window.`;
  const actualTokens = history.tokens;
  // Clients take the request to be over the limit that they are told.
  const limitTokens = actualTokens > windowTokens ? windowTokens : budgetTokens;
  return new LonghaulError("request.too-large", advice, { overflow: { actualTokens, limitTokens, advice } });
}

import { describeMisfit } from "@longhaul/condense";
import { LonghaulError } from "@longhaul/conversation";
import type { Turn } from "./turn.ts";
import type { Condensed } from "./work.ts";

/** Says what is too large and by how much, in numbers that clients read. */
export function tooLarge({ history, limits }: Turn, { report, misfits }: Condensed): LonghaulError {
  const others = misfits.filter(({ what }) => what !== "tokens");
  if (others.length > 0) {
    return new LonghaulError(
      "request.too-large",
      `${others.map(describeMisfit).join("; ")}; take it out of the request`,
    );
  }
  const { budgetTokens, windowTokens } = limits;
  const over = report.tokensAfter - budgetTokens;
  const parts = `system and tools take ${history.headTokens} tokens, the last message ${history.messageTokens.at(-1) ?? 0}`;
  const advice = "shorten them, or use a model with a larger window";
  return new LonghaulError(
    "request.too-large",
    `what must stay of this request is ${over} tokens over the ${budgetTokens} that may be sent: ${parts}; ${advice}`,
    { overflow: { actualTokens: history.tokens, limitTokens: windowTokens } },
  );
}

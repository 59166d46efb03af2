import type { Billed } from "../core/money.ts";
import type { PromptBill } from "./caching.ts";

/** Tokens of a reply. */
export interface OutputTokens {
  readonly output: number;
  readonly thinking: number;
}

/** Usage as the Messages API reports it: the three input figures add up to the whole prompt. */
export function usageOf(bill: PromptBill, { output, thinking }: OutputTokens) {
  return {
    ...tokensOf(bill, output),
    ...(thinking > 0 && { output_tokens_details: { thinking_tokens: thinking } }),
    server_tool_use: null,
    service_tier: "standard",
    inference_geo: "not_available",
  };
}

/** Usage of one round of a request that took several. */
export function iterationOf(type: "compaction" | "message", bill: PromptBill, output: number) {
  return { type, ...tokensOf(bill, output) };
}

function tokensOf({ input, read, write5m, write1h }: PromptBill, output: number) {
  return {
    input_tokens: input,
    cache_creation_input_tokens: write5m + write1h,
    cache_read_input_tokens: read,
    cache_creation: { ephemeral_5m_input_tokens: write5m, ephemeral_1h_input_tokens: write1h },
    output_tokens: output,
  };
}

/** The same for the record. */
export function billedOf({ input, read, write5m, write1h }: PromptBill, output: number): Billed {
  return {
    inputTokens: input,
    cacheReadTokens: read,
    cacheWriteTokens: write5m,
    cacheWriteHourTokens: write1h,
    outputTokens: output,
  };
}

import { expect, it } from "vitest";
import { billedOf, iterationOf, usageOf } from "./usage.ts";

const bill = { input: 10, read: 100, write5m: 20, write1h: 5 };

it("reports the prompt in three figures and both lifetimes", () => {
  expect(usageOf(bill, { output: 7, thinking: 3 })).toEqual({
    input_tokens: 10,
    cache_creation_input_tokens: 25,
    cache_read_input_tokens: 100,
    cache_creation: { ephemeral_5m_input_tokens: 20, ephemeral_1h_input_tokens: 5 },
    output_tokens: 7,
    output_tokens_details: { thinking_tokens: 3 },
    server_tool_use: null,
    service_tier: "standard",
    inference_geo: "not_available",
  });
  expect(usageOf(bill, { output: 7, thinking: 0 })).not.toHaveProperty("output_tokens_details");
});

it("reports a round and a bill with the same figures", () => {
  expect(iterationOf("compaction", bill, 7)).toMatchObject({ type: "compaction", input_tokens: 10, output_tokens: 7 });
  expect(billedOf(bill, 7)).toEqual({
    inputTokens: 10,
    cacheReadTokens: 100,
    cacheWriteTokens: 20,
    cacheWriteHourTokens: 5,
    outputTokens: 7,
  });
});

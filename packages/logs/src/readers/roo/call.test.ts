import { textMessage } from "@longhaul/conversation";
import { describe, expect, it } from "vitest";
import { callRecord } from "./call.ts";

function makeEnvironment(cost: string, model = "anthropic/claude-sonnet-4.5") {
  const details = `# Current Cost\n$${cost}\n\n# Current Mode\n<slug>code</slug>\n<model>${model}</model>`;
  return textMessage("user", `<environment_details>\n${details}\n</environment_details>`);
}

describe("callRecord", () => {
  it("reads what Cline notes beside a reply, in both spellings", () => {
    const entry = {
      ts: 9,
      modelInfo: { modelId: "claude-sonnet-4-5", providerId: "anthropic", mode: "act" },
      metrics: { tokens: { prompt: 100, completion: 7, cached: 60 }, cost: 0.13 },
    };
    expect(callRecord({ entry, before: undefined, after: undefined })).toEqual({
      model: "claude-sonnet-4-5",
      usage: { inputTokens: 40, cacheReadTokens: 60, cacheWriteTokens: 0, outputTokens: 7 },
      costUsd: 0.13,
      timestampMs: 9,
      outcome: "finished",
    });
    const metrics = { inputTokens: 21, outputTokens: 8, cacheReadTokens: 3, cacheWriteTokens: 1 };
    expect(callRecord({ entry: { metrics }, before: undefined, after: undefined }).usage).toEqual({
      inputTokens: 17,
      cacheReadTokens: 3,
      cacheWriteTokens: 1,
      outputTokens: 8,
    });
  });

  it("reads model and cost from the environment that Roo describes before and after", () => {
    const record = callRecord({ entry: {}, before: makeEnvironment("0.19"), after: makeEnvironment("0.25") });
    expect(record).toEqual({ model: "anthropic/claude-sonnet-4.5", costUsd: 0.06, outcome: "finished" });
  });

  it("says no cost where one side is missing or the cost went down", () => {
    expect(callRecord({ entry: {}, before: makeEnvironment("0.19"), after: undefined })).not.toHaveProperty("costUsd");
    expect(
      callRecord({ entry: {}, before: makeEnvironment("0.19"), after: makeEnvironment("0.02") }),
    ).not.toHaveProperty("costUsd");
  });

  it("trusts the newest description, because earlier ones may be quotes", () => {
    const quoted = makeEnvironment("9.99", "quoted/model").blocks;
    const before = { role: "user" as const, blocks: [...quoted, ...makeEnvironment("0.10").blocks] };
    expect(callRecord({ entry: {}, before, after: makeEnvironment("0.20") })).toMatchObject({
      model: "anthropic/claude-sonnet-4.5",
      costUsd: 0.1,
    });
  });

  it("says no usage where metrics hold only a cost", () => {
    const record = callRecord({ entry: { metrics: { cost: 0 } }, before: undefined, after: undefined });
    expect(record).toEqual({ costUsd: 0, outcome: "finished" });
  });
});

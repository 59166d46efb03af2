import { makeCompaction } from "@longhaul/conversation/testing";
import { describe, expect, it } from "vitest";
import { makeChat, openFitBench } from "../testing/index.ts";
import { renderWork } from "../work/work.ts";
import { rawForm } from "./fit-request.ts";
import { compactionReport, renderBlock } from "./render-block.ts";

const block = makeCompaction("They spoke of harbours.");

describe("renderBlock", () => {
  it("writes what rendering the whole conversation would write", async () => {
    const bench = await openFitBench({ model: "claude-opus-4-6" });
    const fitRequest = await bench.fitRequest(makeChat(10, { model: "claude-opus-4-6" }));
    const form = rawForm(fitRequest);
    const { projection, rendering, report } = await renderBlock(fitRequest, form, {
      block,
      messages: 15,
      costUsd: 0.5,
    });
    const counter = await bench.state.counters.counterFor(fitRequest.prompt.tokenizer, fitRequest.ratio);
    const whole = renderWork(fitRequest.prompt, projection, counter);
    const entry = (json: string) => JSON.parse(json);
    const jsonOf = ({ parts }: typeof whole) =>
      parts.map((part) => (part.kind === "written" ? entry(part.json) : part));
    expect(jsonOf(rendering)).toEqual(jsonOf(whole));
    expect(rendering).toMatchObject({ messages: 15, prints: whole.prints, ratio: whole.ratio });
    expect(rendering.parts.map((part) => part.kind === "written" && part.tokens)).toEqual(
      whole.parts.map((part) => part.kind === "written" && part.tokens),
    );
    expect(report).toMatchObject({ strategy: "compaction", costUsd: 0.5, tokensBefore: form.tokens });
    expect(report.tokensAfter).toBeLessThan(form.tokens);
  });

  it("says by how much it is still too large", async () => {
    const bench = await openFitBench({ model: "claude-opus-4-6" });
    const fitRequest = await bench.fitRequest(makeChat(60, { model: "claude-opus-4-6" }));
    const limits = { ...fitRequest.limits, budgetTokens: 100 };
    const { misfits, report } = await renderBlock({ ...fitRequest, limits }, rawForm(fitRequest), {
      block,
      messages: 15,
      costUsd: 0,
    });
    expect(misfits).toEqual([{ what: "tokens", size: report.tokensAfter, limit: 100 }]);
  });
});

it("reports the figures under a name of their own, with no pass of ours", () => {
  const report = compactionReport({ tokensBefore: 100, tokensAfter: 10, costUsd: 0.5 });
  expect(report).toMatchObject({
    strategy: "compaction",
    tokensBefore: 100,
    tokensAfter: 10,
    costUsd: 0.5,
    passes: [],
  });
});

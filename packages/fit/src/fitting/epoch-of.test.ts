import { makeProjection } from "@longhaul/store/testing";
import { expect, it } from "vitest";
import { BENCH_MODEL, makeChat, openFitBench } from "../testing/index.ts";
import { epochOf } from "./epoch-of.ts";

it("belongs to the messages that its projection stands for, in the scope of the turn", async () => {
  const bench = await openFitBench({ nowMs: () => 5 });
  const fitRequest = await bench.fitRequest(makeChat(3), { "x-session-id": "s" });
  const figures = { tokensBefore: 9, tokensAfter: 3, targetTokens: 4, costUsd: 0.5 };
  const made = { strategy: "native", from: 0, projection: makeProjection(4), isStandIn: false, ...figures };
  expect(epochOf(fitRequest, made, { base: undefined, reads: "messages" })).toEqual({
    ...made,
    scope: fitRequest.scope,
    prefix: fitRequest.history.prefixes()[3],
    bound: fitRequest.history.loosePrefixes("s")[3],
    evidence: { head: "", through: 4, messages: ["", "", "", ""] },
    tenant: fitRequest.tenant,
    session: "s",
    upstream: "anthropic",
    model: BENCH_MODEL,
    madeAtMs: 5,
  });
});

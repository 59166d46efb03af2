import { describe, expect, it } from "vitest";
import { type FitBenchOptions, makeChat, openFitBench } from "../testing/index.ts";
import { rawForm } from "./fit-request.ts";
import { isWorthIt, wasSentLately } from "./worth.ts";

/** A conversation that has grown to nearly all of the window. */
async function openGrown(options: FitBenchOptions = {}) {
  const bench = await openFitBench({ window: 100_000, ...options });
  const fitRequest = await bench.fitRequest(makeChat(20));
  const form = { ...rawForm(fitRequest), tokens: 95_000 };
  const prefix = fitRequest.history.prefixes().at(-1) ?? "";
  const sentAt = (atMs: number) =>
    bench.state.anchors.keep(fitRequest.scope, prefix, { reported: 1, estimated: 1, ratio: 1, atMs });
  return { fitRequest, form, sentAt };
}

const PRICES = { input: 3, output: 15, cacheRead: 0.3, cacheWrite: 3.75 };
const native = { context: { strategy: "native" } };
const dear = { facts: { prices: { ...PRICES, output: 9_999 } } };

describe("isWorthIt", () => {
  it.each([
    ["what the operator set a threshold for", { ...dear, context: { strategy: "native", threshold: 80 } }, true],
    ["a strategy with a threshold of its own", { ...dear, context: { strategy: "sandwich" } }, true],
    ["a summary that pays for itself", native, true],
    ["a summary that nobody knows the price of", { ...native, model: "claude-unheard-of" }, true],
    ["a summary that costs more than it saves", { ...dear, ...native }, false],
  ])("says of %s: %j, %s", async (_, options, expected) => {
    const { fitRequest, form } = await openGrown(options);
    expect(isWorthIt(fitRequest, form)).toBe(expected);
  });
});

describe("wasSentLately", () => {
  it("takes what was sent in the last five minutes to be cached", async () => {
    let now = 0;
    const { fitRequest, form, sentAt } = await openGrown({ nowMs: () => now });
    expect(wasSentLately(fitRequest, form)).toBe(false);
    sentAt(0);
    now = 5 * 60_000 - 1;
    expect(wasSentLately(fitRequest, form)).toBe(true);
    now += 1;
    expect(wasSentLately(fitRequest, form)).toBe(false);
  });
});

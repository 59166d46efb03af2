import { answerOffline } from "@longhaul/condense";
import { afterEach, describe, expect, it } from "vitest";
import { makeAsk, makeSent, openBench } from "../testing/summaries.ts";
import { estimateAsk } from "./estimate-ask.ts";
import { openBody } from "./opened-body.ts";
import { counterFor } from "./trials.ts";

const closers: (() => Promise<void>)[] = [];
afterEach(async () => {
  for (const close of closers.splice(0)) await close();
});

async function openContext(summarizer?: string) {
  const { context, close } = await openBench({});
  closers.push(close);
  const counter = await counterFor(context.destination, context);
  const offline = async (ask: ReturnType<typeof makeAsk>) => answerOffline(ask, counter);
  return { ...context, settings: summarizer === undefined ? {} : { summarizer }, counter, offline };
}

const BODY = { model: "claude-sonnet-4-5", max_tokens: 9, messages: [{ role: "user", content: "Hello." }] };

describe("estimateAsk", () => {
  it("prices what is written out and what will likely come back", async () => {
    const context = await openContext();
    const ask = makeAsk(undefined, { expectedTokens: 1_000 });
    const { output = 0 } = context.destination.match.model.prices ?? {};
    const withAnswer = estimateAsk(ask, context);
    const without = estimateAsk(makeAsk(undefined, { expectedTokens: 0 }), context);
    expect(withAnswer - without).toBeCloseTo((1_000 * output) / 1_000_000, 9);
    expect(without).toBeGreaterThan(0);
  });

  it("prices what is cached as such, where the conversation's own model is asked below it", async () => {
    const context = await openContext();
    const sent = { ...makeSent(BODY, "anthropic-messages"), tokens: 100_000 };
    const opened = openBody(sent.body, sent.codec);
    const ask = makeAsk(undefined, { expectedTokens: 0 });
    const { cacheRead = 0 } = context.destination.match.model.prices ?? {};
    const warm = estimateAsk(ask, { ...context, sent, opened });
    expect(warm).toBeGreaterThan((100_000 * cacheRead) / 1_000_000);
    expect(warm).toBeLessThan((101_000 * cacheRead) / 1_000_000);
  });

  it("goes by the profile that writes summaries, and is nothing where no price is known", async () => {
    const ask = makeAsk(undefined, { expectedTokens: 1_000 });
    const own = estimateAsk(ask, await openContext());
    expect(estimateAsk(ask, await openContext("foreign"))).toBeLessThan(own);
    const context = await openContext();
    const { match } = context.destination;
    const { prices: _, ...unpriced } = match.model;
    const target = { ...context.destination, match: { ...match, model: unpriced } };
    expect(estimateAsk(ask, { ...context, destination: target })).toBe(0);
  });
});

import { makeUsage } from "@longhaul/conversation/testing";
import { describe, expect, it } from "vitest";
import type { Fitted } from "../fitting/fit.ts";
import { type FitRequest, rawForm } from "../fitting/fit-request.ts";
import { formName } from "../memory/form-name.ts";
import { makeChat, openFitBench } from "../testing/index.ts";
import { record, recordSize } from "./record.ts";

function asItCame(fitRequest: FitRequest): Fitted {
  const form = rawForm(fitRequest);
  return { fitRequest, form, originalTokens: form.tokens, origin: "raw" };
}

async function openSent(body: object = makeChat(10)) {
  const { fitRequest: open } = await openFitBench();
  const fitRequest = await open(body);
  const fitted = asItCame(fitRequest);
  const { form } = fitted;
  const ratio = () => fitRequest.state.learned.ratio(fitRequest.destination);
  const correction = () =>
    fitRequest.state.anchors.correction(
      formName(fitRequest.scope, undefined),
      fitRequest.history.prefixes(),
      fitRequest.ratio,
    );
  return { fitted, form, fitRequest, ratio, correction };
}

describe("record", () => {
  it("learns how the upstream counts, and how large this conversation is", async () => {
    const { fitted, form, fitRequest, ratio, correction } = await openSent();
    const more = Math.round(form.estimated * 0.1);
    record(fitted, makeUsage({ inputTokens: form.estimated - 10, cacheReadTokens: 4, cacheWriteTokens: 6 + more }));
    expect(ratio()).toBeCloseTo(fitRequest.ratio * (1 + more / form.estimated));
    expect(correction()).toBe(more);
    expect(fitRequest.state.anchors.sentMessages(fitRequest.scope, fitRequest.history.prefixes())).toBe(21);
    expect(rawForm(fitRequest).tokens).toBe(form.tokens + more);
  });

  it("goes by the round that read what was sent, where the vendor compacted", async () => {
    const { fitted, form, correction } = await openSent();
    const rounds = [makeUsage({ inputTokens: form.estimated + 7 }), makeUsage({ inputTokens: 50 })];
    record(fitted, makeUsage({ inputTokens: 60, iterations: rounds }));
    expect(correction()).toBe(7);
  });

  it("learns nothing from a report of nothing", async () => {
    const { fitted, fitRequest, ratio, correction } = await openSent();
    record(fitted, makeUsage({ inputTokens: 0 }));
    expect([ratio(), correction()]).toEqual([fitRequest.ratio, 0]);
  });

  it("learns nothing of a conversation without messages but how it is counted", async () => {
    const { fitted, fitRequest, form, ratio } = await openSent(
      makeChat(0, { messages: [], system: "Be brief. ".repeat(400) }),
    );
    record(fitted, makeUsage({ inputTokens: Math.round(form.estimated * 1.1) }));
    expect(ratio()).toBeGreaterThan(fitRequest.ratio);
    expect(fitRequest.state.anchors.sentAtMs(fitRequest.scope, fitRequest.history.prefixes())).toBeUndefined();
  });

  it("does not take the ratio from prompts with images", async () => {
    const image = { type: "image", source: { type: "url", url: "https://files.example/1.png" } };
    const { fitted, fitRequest, form, ratio, correction } = await openSent(
      makeChat(1, { messages: [{ role: "user", content: [image] }] }),
    );
    record(fitted, makeUsage({ inputTokens: form.estimated + 9 }));
    expect([ratio(), correction()]).toEqual([fitRequest.ratio, 9]);
  });
});

describe("a conversation that goes on", () => {
  const usageOf = (tokens: number) => makeUsage({ inputTokens: Math.round(tokens) });
  const makeBeginning = (exchanges: number) =>
    makeChat(0, { messages: makeChat(30).messages.slice(0, exchanges * 2 + 1) });

  it("teaches by what came to it alone", async () => {
    const { fitRequest: open, state, destination } = await openFitBench();
    const first = asItCame(await open(makeBeginning(10)));
    const odd = first.form.estimated * 3;
    record(first, usageOf(odd));
    const second = asItCame(await open(makeBeginning(20)));
    record(second, usageOf(odd + second.form.estimated - first.form.estimated));
    expect(state.learned.hasLearned(destination)).toBe(true);
    expect(state.learned.ratio(destination)).toBe(first.fitRequest.ratio);
  });

  it("teaches by what changes in its tools, too", async () => {
    const { fitRequest: open, state, destination } = await openFitBench();
    const tools = [{ name: "read", description: "Reads. ".repeat(200), input_schema: { type: "object" } }];
    const first = asItCame(await open(makeBeginning(10)));
    record(first, usageOf(first.form.estimated));
    const second = asItCame(await open({ ...makeBeginning(20), tools }));
    record(second, usageOf(second.form.estimated));
    expect(state.learned.ratio(destination)).toBe(first.fitRequest.ratio);
  });

  it("waits until what came to it is enough to learn from", async () => {
    const { fitRequest: open } = await openFitBench();
    const learnedAfter = async (exchanges: number) => {
      const { fitRequest, form } = asItCame(await open(makeBeginning(exchanges)));
      record(asItCame(fitRequest), usageOf(form.estimated * 1.05));
      return fitRequest.state.anchors.learnedPart(fitRequest.scope, fitRequest.history.prefixes())?.messages;
    };
    expect([await learnedAfter(10), await learnedAfter(11), await learnedAfter(20)]).toEqual([21, 21, 41]);
  });

  it("teaches after an image, too, but not by it", async () => {
    const image = { type: "image", source: { type: "url", url: "https://files.example/1.png" } };
    const { messages } = makeChat(30);
    const shown = [...messages.slice(0, 21), { role: "assistant", content: "Show me." }];
    const { fitRequest: open, state, destination } = await openFitBench();
    const send = async (sent: readonly object[], error: number) => {
      const fitted = asItCame(await open(makeChat(0, { messages: sent })));
      const learned = state.anchors.learnedPart(fitted.fitRequest.scope, fitted.fitRequest.history.prefixes());
      const known = rawForm(await open(makeChat(0, { messages: sent.slice(0, learned?.messages ?? 0) }))).estimated;
      record(fitted, usageOf((learned?.reported ?? 0) + (fitted.form.estimated - known) * error));
      return state.learned.ratio(destination);
    };
    const before = await send(messages.slice(0, 21), 1);
    expect(await send([...shown, { role: "user", content: [image] }], 1.5)).toBe(before);
    expect(await send([...shown, { role: "user", content: [image] }, ...messages.slice(21)], 1.2)).toBeGreaterThan(
      before,
    );
  });

  it("teaches nothing by what a strategy has left of it, unless nothing is known or it was refused", async () => {
    const bench = await openFitBench();
    const ratio = () => bench.state.learned.ratio(bench.destination);
    const condensed = await bench.fit(makeChat(60));
    expect(condensed.form.epoch).toBeDefined();
    record(condensed, usageOf(condensed.form.estimated * 1.05));
    const before = ratio();
    expect(before).toBeGreaterThan(condensed.fitRequest.ratio);
    const other = await bench.fit(makeChat(60, { messages: makeChat(70).messages.slice(2) }));
    expect(other.form.epoch).toBeDefined();
    record(other, usageOf(other.form.estimated * 0.8));
    expect(ratio()).toBe(before);
    const refused = await bench.fit(makeChat(60, { messages: makeChat(80).messages.slice(4) }));
    recordSize(refused, { reported: Math.round(refused.form.estimated * 1.3), wasRefused: true });
    expect(ratio()).toBeGreaterThan(before);
  });
});

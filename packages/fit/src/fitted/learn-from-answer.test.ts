import type { Overflow } from "@longhaul/conversation/advanced";
import { makeImage, makeUsage } from "@longhaul/conversation/testing";
import { describe, expect, it } from "vitest";
import type { Fitted } from "../fitting/fit.ts";
import { type FitRequest, rawForm } from "../fitting/fit-request.ts";
import { formName } from "../memory/epochs.ts";
import { makeChat, openFitBench } from "../testing/index.ts";
import { learnOverflow, learnUnnamed, pressureAfter, record, recordSize } from "./learn-from-answer.ts";

function unchanged(fitRequest: FitRequest): Fitted {
  const form = rawForm(fitRequest);
  return { fitRequest, form, originalTokens: form.tokens, origin: "raw" };
}

async function openSent(body: object = makeChat(10)) {
  const { fitRequest: open } = await openFitBench();
  const fitRequest = await open(body);
  const fitted = unchanged(fitRequest);
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
  it("learns how the upstream counts and how large this conversation is", async () => {
    const { fitted, form, fitRequest, ratio, correction } = await openSent();
    const more = Math.round(form.estimated * 0.1);
    record(fitted, makeUsage({ inputTokens: form.estimated - 10, cacheReadTokens: 4, cacheWriteTokens: 6 + more }));
    expect(ratio()).toBeCloseTo(fitRequest.ratio * (1 + more / form.estimated));
    expect(correction()).toBe(more);
    expect(fitRequest.state.anchors.sentMessages(fitRequest.scope, fitRequest.history.prefixes())).toBe(21);
    expect(rawForm(fitRequest).tokens).toBe(form.tokens + more);
  });

  it("uses the iteration that read the sent prompt if the vendor compacted", async () => {
    const { fitted, form, correction } = await openSent();
    const rounds = [makeUsage({ inputTokens: form.estimated + 7 }), makeUsage({ inputTokens: 50 })];
    record(fitted, makeUsage({ inputTokens: 60, iterations: rounds }));
    expect(correction()).toBe(7);
  });

  it.each([
    ["an empty report", makeUsage({ inputTokens: 0 })],
    ["no report", undefined],
  ])("learns only that the conversation was sent from %s", async (_, usage) => {
    const { fitted, fitRequest, ratio, correction } = await openSent();
    record(fitted, usage);
    expect([ratio(), correction()]).toEqual([fitRequest.ratio, 0]);
    expect(fitRequest.state.anchors.sentMessages(fitRequest.scope, fitRequest.history.prefixes())).toBe(21);
  });

  it("keeps the correction of an earlier report if a later turn has none", async () => {
    const { fitted, fitRequest, form, correction } = await openSent();
    record(fitted, makeUsage({ inputTokens: form.estimated + 9 }));
    record(unchanged(fitRequest), undefined);
    expect(correction()).toBe(9);
  });

  it("lets a better ratio correct a conversation without reports", async () => {
    const { fitted, fitRequest, form } = await openSent();
    record(fitted, undefined);
    const { state, scope, history, ratio } = fitRequest;
    expect(state.anchors.correction(formName(scope, form.epoch), history.prefixes(), ratio * 1.3)).toBe(0);
  });

  it("learns only the ratio from a conversation without messages", async () => {
    const { fitted, fitRequest, form, ratio } = await openSent(
      makeChat(0, { messages: [], system: "Be brief. ".repeat(400) }),
    );
    record(fitted, makeUsage({ inputTokens: Math.round(form.estimated * 1.1) }));
    expect(ratio()).toBeGreaterThan(fitRequest.ratio);
    expect(fitRequest.state.anchors.sentAtMs(fitRequest.scope, fitRequest.history.prefixes())).toBeUndefined();
  });

  it("does not learn the ratio from prompts with images", async () => {
    const image = { type: "image", source: { type: "url", url: "https://files.example/1.png" } };
    const { fitted, fitRequest, form, ratio, correction } = await openSent(
      makeChat(1, { messages: [{ role: "user", content: [image] }] }),
    );
    record(fitted, makeUsage({ inputTokens: form.estimated + 9 }));
    expect([ratio(), correction()]).toEqual([fitRequest.ratio, 9]);
  });
});

describe("a continued conversation", () => {
  const usageOf = (tokens: number) => makeUsage({ inputTokens: Math.round(tokens) });
  const makeBeginning = (exchanges: number) =>
    makeChat(0, { messages: makeChat(30).messages.slice(0, exchanges * 2 + 1) });

  it("teaches by its new messages only", async () => {
    const { fitRequest: open, state, destination } = await openFitBench();
    const first = unchanged(await open(makeBeginning(10)));
    const odd = first.form.estimated * 3;
    record(first, usageOf(odd));
    const second = unchanged(await open(makeBeginning(20)));
    record(second, usageOf(odd + second.form.estimated - first.form.estimated));
    expect(state.learned.hasLearned(destination)).toBe(true);
    expect(state.learned.ratio(destination)).toBe(first.fitRequest.ratio);
  });

  it("teaches by changes of its tools, too", async () => {
    const { fitRequest: open, state, destination } = await openFitBench();
    const tools = [{ name: "read", description: "Reads. ".repeat(200), input_schema: { type: "object" } }];
    const first = unchanged(await open(makeBeginning(10)));
    record(first, usageOf(first.form.estimated));
    const second = unchanged(await open({ ...makeBeginning(20), tools }));
    record(second, usageOf(second.form.estimated));
    expect(state.learned.ratio(destination)).toBe(first.fitRequest.ratio);
  });

  it("waits until there are enough new messages to learn from", async () => {
    const { fitRequest: open } = await openFitBench();
    const learnedAfter = async (exchanges: number) => {
      const { fitRequest, form } = unchanged(await open(makeBeginning(exchanges)));
      record(unchanged(fitRequest), usageOf(form.estimated * 1.05));
      return fitRequest.state.anchors.learnedPart(fitRequest.scope, fitRequest.history.prefixes())?.messages;
    };
    expect([await learnedAfter(10), await learnedAfter(11), await learnedAfter(20)]).toEqual([21, 21, 41]);
  });

  it("teaches after an image, but not by it", async () => {
    const image = { type: "image", source: { type: "url", url: "https://files.example/1.png" } };
    const { messages } = makeChat(30);
    const shown = [...messages.slice(0, 21), { role: "assistant", content: "Show me." }];
    const { fitRequest: open, state, destination } = await openFitBench();
    const send = async (sent: readonly object[], error: number) => {
      const fitted = unchanged(await open(makeChat(0, { messages: sent })));
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

  it("teaches nothing by a condensed prefix, unless nothing is known or it was refused", async () => {
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

/** A raw request with an assumed window of 10,000 tokens and 200 for the answer. */
async function openRefused(tokens: number, body: object = makeChat(3)) {
  const bench = await openFitBench({ window: 10_000 });
  const fitRequest = await bench.fitRequest(body);
  const form = { ...rawForm(fitRequest), estimated: tokens, tokens };
  const fitted: Fitted = { fitRequest, form, originalTokens: tokens, origin: "raw" };
  return { bench, fitRequest, fitted };
}

/** Reserved in a window of 10,000: 200 for the answer and 100 for counting errors. */
const RESERVED = 300;

describe("pressureAfter", () => {
  it.each<[string, Overflow, number, number]>([
    [
      "its own count is ours: 90 % of the window",
      { actualTokens: 12_000, limitTokens: 10_000 },
      0,
      0.9 * (10_000 - RESERVED),
    ],
    ["then 75 %", { actualTokens: 12_000, limitTokens: 10_000 }, 1, 0.75 * (10_000 - RESERVED)],
    ["and no less than that", { actualTokens: 12_000, limitTokens: 10_000 }, 5, 0.75 * (10_000 - RESERVED)],
    [
      "its limit is half of the assumed one",
      { actualTokens: 12_000, limitTokens: 5_000 },
      0,
      0.9 * (5_000 - RESERVED / 2),
    ],
    [
      "its limit is said to be larger than we know",
      { actualTokens: 12_000, limitTokens: 20_000 },
      0,
      0.9 * (10_000 - RESERVED),
    ],
    [
      "it counts half as much again",
      { actualTokens: 18_000, limitTokens: 10_000 },
      0,
      (0.9 * (10_000 - RESERVED)) / 1.5,
    ],
    ["it counts less than we do", { actualTokens: 11_000, limitTokens: 10_000 }, 0, 0.9 * (10_000 - RESERVED)],
    ["it counts the answer in", { actualTokens: 12_000, limitTokens: 10_000, outputTokens: 200 }, 0, 9_000],
    ["it names only its limit", { limitTokens: 10_000 }, 0, 0.9 * (10_000 - RESERVED)],
    ["it names nothing: 70% of the fitted size", {}, 0, 0.7 * (10_000 - RESERVED)],
    ["it names nothing again: 50 %", {}, 1, 0.5 * (10_000 - RESERVED)],
  ])("aims, if %s", async (_, overflow, recoveries, expected) => {
    const { fitted } = await openRefused(12_000);
    expect(pressureAfter(overflow, fitted, recoveries)).toEqual({ maxTokens: Math.floor(expected) });
  });

  it("uses the sent size if that is smaller than the window", async () => {
    const { fitted } = await openRefused(6_000);
    expect(pressureAfter({}, fitted, 0)).toEqual({ maxTokens: 4_200 });
    expect(pressureAfter({ limitTokens: 9_000 }, fitted, 0)).toEqual({ maxTokens: 5_400 });
  });

  it("uses the ratio that the refusal has taught", async () => {
    const { fitted, fitRequest } = await openRefused(12_000);
    const overflow = { actualTokens: 13_200, limitTokens: 10_000 };
    learnOverflow(overflow, fitted);
    expect(fitRequest.state.learned.ratio(fitRequest.destination)).toBeCloseTo(fitRequest.ratio * 1.1);
    expect(pressureAfter(overflow, fitted, 0).maxTokens).toBeCloseTo(0.9 * (10_000 - RESERVED), -1);
  });

  it("leaves at least one token", async () => {
    const { fitted } = await openRefused(12_000);
    expect(pressureAfter({ actualTokens: 12_000, limitTokens: 0 }, fitted, 0)).toEqual({ maxTokens: 1 });
  });
});

describe("learnOverflow", () => {
  it("learns a window that is smaller than the assumed one, and no other", async () => {
    const { fitted, fitRequest } = await openRefused(12_000);
    const window = () => fitRequest.state.learned.window(fitRequest.call, fitRequest.destination);
    learnOverflow({ limitTokens: 20_000 }, fitted);
    learnOverflow({}, fitted);
    expect(window()).toBeUndefined();
    learnOverflow({ limitTokens: 8_000 }, fitted);
    expect(window()).toBe(8_000);
  });

  it("learns the conversation's size, and that it was refused", async () => {
    const { fitted, fitRequest, bench } = await openRefused(12_000);
    learnOverflow({ actualTokens: 12_500, limitTokens: 10_000 }, fitted);
    const { state, scope, history } = fitRequest;
    expect(state.anchors.correction(scope, history.prefixes(), fitRequest.ratio)).toBe(500);
    expect(state.anchors.sentMessages(scope, history.prefixes())).toBe(0);
    expect(bench.state.learned.ratio(fitRequest.destination)).toBeGreaterThan(fitRequest.ratio);
  });
});

describe("learnUnnamed", () => {
  const windowAfter = async (overflow: Overflow, refused: number, accepted: number, body?: object) => {
    const { fitted, fitRequest } = await openRefused(refused, body);
    learnUnnamed(overflow, fitted, { ...fitted, form: { ...fitted.form, tokens: accepted } });
    return fitRequest.state.learned.window(fitRequest.call, fitRequest.destination);
  };

  it("assumes a window between the refused and the accepted size", async () => {
    expect(await windowAfter({}, 9_000, 6_000)).toBe(7_500);
  });

  it("learns nothing if the limit was named or is as large as assumed, or if images may be the reason", async () => {
    expect(await windowAfter({ limitTokens: 9_999 }, 9_000, 6_000)).toBeUndefined();
    expect(await windowAfter({}, 12_000, 8_000)).toBeUndefined();
    const { source } = makeImage();
    const data = source.kind === "base64" ? source.data : "";
    const image = { type: "image", source: { type: "base64", media_type: "image/png", data } };
    expect(
      await windowAfter({}, 9_000, 6_000, makeChat(1, { messages: [{ role: "user", content: [image] }] })),
    ).toBeUndefined();
  });
});

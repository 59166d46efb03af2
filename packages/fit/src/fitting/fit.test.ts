import { type Answer, PRESETS } from "@longhaul/condense/advanced";
import { textMessage } from "@longhaul/conversation";
import { PIXEL_PNG } from "@longhaul/conversation/testing";
import type { Epoch } from "@longhaul/store";
import { describe, expect, it } from "vitest";
import type { Part, Rendering } from "../history/parts.ts";
import { type FitBenchOptions, makeChat, makeReads, openFitBench } from "../testing/index.ts";
import { type FitContext, hasSurplusMedia, isWorthIt, mustStayTokens, shouldShrink, wasSentLately } from "./fit.ts";
import { rawForm } from "./fit-request.ts";

const SUMMARY = "They spoke of harbours and lanterns.";
const answers = (): FitContext["summarizer"] => () => async () => ({ kind: "text", text: SUMMARY });

/** A summariser that answers on command. */
function makeSlow() {
  const { promise: answered, resolve: giveAnswer } = Promise.withResolvers<Answer>();
  const summarizer: FitContext["summarizer"] = () => () => answered;
  return { summarizer, finish: () => giveAnswer({ kind: "text", text: SUMMARY }) };
}

/** Waits until the signal is aborted. */
const patient: FitContext["wait"] = (_, signal) =>
  new Promise((_resolve, reject) => signal.addEventListener("abort", () => reject(signal.reason), { once: true }));

/** The same conversation one turn later. */
function wentOn(body: ReturnType<typeof makeChat>): typeof body {
  const said = [
    { role: "assistant", content: "You asked about harbours, and then about lanterns in the meadow." },
    { role: "user", content: `And what came after that, ${body.messages.length} messages ago?` },
  ];
  return { ...body, messages: [...body.messages, ...said] };
}

describe("a conversation that fits", () => {
  it("is sent unchanged", async () => {
    const { form, ...fitted } = await (await openFitBench()).fit(makeChat(3));
    expect(form.epoch).toBeUndefined();
    expect(fitted).toMatchObject({ origin: "raw", originalTokens: form.tokens });
    expect(fitted).not.toHaveProperty("maxOutputTokens");
  });

  it("is sent unchanged while a summary is written for the next turn", async () => {
    const bench = await openFitBench({ context: { strategy: "native", threshold: 50 } });
    const { summarizer, finish } = makeSlow();
    const made: Epoch[] = [];
    const onCondensed: FitContext["onCondensed"] = (_, __, epoch) => void (epoch && made.push(epoch));
    const first = await bench.fit(makeChat(20), { summarizer, onCondensed });
    expect(first.form.tokens).toBeLessThanOrEqual(first.fitRequest.limits.budgetTokens);
    expect([first.origin, made]).toEqual(["raw", []]);
    finish();
    await bench.state.jobs.settled();
    expect(made).toHaveLength(1);
    const second = await bench.fit(makeChat(20), { summarizer });
    expect([second.origin, second.form.epoch]).toEqual(["reused", made[0]]);
    expect(second.originalTokens).toBe(first.form.tokens);
  });

  it("is condensed at once if no model is needed", async () => {
    const bench = await openFitBench({ context: { strategy: "middle-out", threshold: 50 } });
    const fitted = await bench.fit(makeChat(20));
    expect(fitted.originalTokens).toBeLessThanOrEqual(fitted.fitRequest.limits.budgetTokens);
    expect(fitted.origin).toBe("new");
  });

  it("is left unchanged after a recent condensation without result", async () => {
    const bench = await openFitBench({ context: { strategy: "native", threshold: 50, fallbacks: [] } });
    let asked = 0;
    const summarizer: FitContext["summarizer"] = () => async () => {
      asked++;
      throw new Error("gone");
    };
    const first = await bench.fit(makeChat(20), { summarizer });
    await bench.state.jobs.settled();
    const second = await bench.fit(makeChat(20), { summarizer });
    expect([first.origin, second.origin, asked]).toEqual(["raw", "raw", 1]);
  });

  it("is then left unchanged even if it was condensed before", async () => {
    const bench = await openFitBench({ context: { strategy: "native", threshold: 50, fallbacks: [] } });
    await bench.fit(makeChat(20), { summarizer: answers() });
    await bench.state.jobs.settled();
    let asked = 0;
    const summarizer = () => async () => {
      asked++;
      throw new Error("gone");
    };
    let body = makeChat(20);
    while (asked === 0) {
      await bench.fit(body, { summarizer });
      body = wentOn(body);
    }
    await bench.state.jobs.settled();
    const again = await bench.fit(body, { summarizer });
    expect([again.origin, asked]).toEqual(["reused", 1]);
  });

  const summarizing = PRESETS.find(({ id }) => id === "balanced")?.config;
  it.each([
    ["middle-out", {}, false],
    ["native", {}, true],
    ["smart", {}, false],
    ["smart", { smart: summarizing }, true],
  ] as const)("is condensed early only if a model is asked: %s", async (strategy, strategies, expected) => {
    const bench = await openFitBench({ window: 100_000, context: { strategy, strategies } });
    const fitRequest = await bench.fitRequest(makeChat(20));
    const { triggerTokens, budgetTokens } = fitRequest.limits;
    const shrinksAt = (tokens: number) => shouldShrink(fitRequest, { ...rawForm(fitRequest), tokens });
    expect([triggerTokens, triggerTokens + 1, budgetTokens + 1].map(shrinksAt)).toEqual([false, expected, true]);
  });

  it("is compacted early if its vendor compacts on demand, whatever that costs", async () => {
    const facts = { prices: { input: 3, output: 9_999, cacheRead: 0.3, cacheWrite: 3.75 } };
    const fitRequest = await (await openFitBench({ window: 100_000, facts })).fitRequest(makeChat(20));
    const compaction = { ...fitRequest.compaction, askTokens: 60_000 };
    const shrinksAt = (tokens: number) =>
      shouldShrink({ ...fitRequest, compaction }, { ...rawForm(fitRequest), tokens });
    expect([60_000, 60_001].map(shrinksAt)).toEqual([false, true]);
  });

  it("is not condensed early if the summary would cost more than it saves", async () => {
    const facts = { prices: { input: 3, output: 9_999, cacheRead: 0.3, cacheWrite: 3.75 } };
    const fitRequest = await (
      await openFitBench({ window: 100_000, facts, context: { strategy: "native" } })
    ).fitRequest(makeChat(20));
    const { triggerTokens, budgetTokens } = fitRequest.limits;
    const shrinksAt = (tokens: number) => shouldShrink(fitRequest, { ...rawForm(fitRequest), tokens });
    expect([triggerTokens + 1, budgetTokens + 1].map(shrinksAt)).toEqual([false, true]);
  });

  it("is never condensed with full-history", async () => {
    const bench = await openFitBench({ context: { strategy: "full-history" } });
    expect((await bench.fit(makeChat(60))).origin).toBe("raw");
  });

  it("gets a lower output limit if prompt and answer do not fit", async () => {
    const fitted = await (await openFitBench()).fit(makeChat(20, { max_tokens: 3_500 }));
    expect(fitted.origin).toBe("raw");
    const slack = 100 + Math.ceil(fitted.form.tokens / 100);
    expect(fitted.maxOutputTokens).toBe(4_000 - fitted.form.tokens - slack);
  });
});

describe("a conversation that does not fit", () => {
  it("pays for no summary if none can make it fit", async () => {
    const bench = await openFitBench({ context: { strategy: "native" } });
    let asked = 0;
    const summarizer: FitContext["summarizer"] = () => async () => {
      asked++;
      return { kind: "failed", why: "never" };
    };
    for (const more of [{ system: "Be brief. ".repeat(3_000) }, { messages: makeLong() }]) {
      await expect(bench.fit(makeChat(30, more), { summarizer })).rejects.toMatchObject({ code: "request.too-large" });
    }
    expect(asked).toBe(0);
  });

  it("waits for its summary, and for nothing else", async () => {
    const bench = await openFitBench({ context: { strategy: "native" } });
    const signals: AbortSignal[] = [];
    const wait: FitContext["wait"] = (ms, signal) => {
      expect(ms).toBe(20_000);
      signals.push(signal);
      return patient(ms, signal);
    };
    const fitted = await bench.fit(makeChat(60), { summarizer: answers(), wait });
    expect(fitted).toMatchObject({ origin: "new", form: { epoch: { strategy: "native", isPlaceholder: false } } });
    expect(fitted.form.tokens).toBeLessThanOrEqual(fitted.fitRequest.limits.budgetTokens);
    expect(signals.map(({ aborted }) => aborted)).toEqual([true]);
  });

  it("is fitted without a summary after the wait, and uses the summary on the next turn", async () => {
    const bench = await openFitBench({ context: { strategy: "native" } });
    const { summarizer, finish } = makeSlow();
    const first = await bench.fit(makeChat(60), { summarizer, wait: () => Promise.resolve() });
    expect(first).toMatchObject({ origin: "new", form: { epoch: { strategy: "middle-out", isPlaceholder: true } } });
    expect(first.form.tokens).toBeLessThanOrEqual(first.fitRequest.limits.budgetTokens);
    finish();
    await bench.state.jobs.settled();
    const second = await bench.fit(makeChat(60), { summarizer });
    expect(second).toMatchObject({ origin: "reused", form: { epoch: { strategy: "native", isPlaceholder: false } } });
  });

  it("shares one condensation with concurrent requests", async () => {
    const bench = await openFitBench({ context: { strategy: "native" } });
    const made: Epoch[] = [];
    const context = {
      summarizer: answers(),
      wait: patient,
      onCondensed: (_: unknown, __: unknown, epoch?: Epoch) => void (epoch && made.push(epoch)),
    };
    const fitted = await Promise.all([1, 2, 3].map(() => bench.fit(makeChat(60), context)));
    expect(made).toHaveLength(1);
    expect(fitted.map(({ form }) => form.epoch)).toEqual([made[0], made[0], made[0]]);
  });

  it("reuses an earlier condensation until that is too large too", async () => {
    const bench = await openFitBench();
    const origins: string[] = [];
    for (let exchanges = 55; exchanges < 80; exchanges++) origins.push((await bench.fit(makeChat(exchanges))).origin);
    expect(origins[0]).toBe("new");
    const made = origins.filter((origin) => origin === "new").length;
    expect(made).toBeLessThanOrEqual(3);
    expect(origins.filter((origin) => origin === "reused")).toHaveLength(25 - made);
  });

  it("is fitted without a model if everything fails", async () => {
    const bench = await openFitBench({ context: { strategy: "native", fallbacks: [] } });
    const summarizer: FitContext["summarizer"] = () => () => Promise.reject(new Error("gone"));
    const fitted = await bench.fit(makeChat(60), { summarizer, wait: patient });
    expect(fitted).toMatchObject({ origin: "new", form: { epoch: { isPlaceholder: true } } });
  });

  it("throws if the protected parts are too large", async () => {
    const bench = await openFitBench();
    const body = makeChat(1, { system: "Be brief. ".repeat(3_000) });
    await expect(bench.fit(body)).rejects.toMatchObject({
      code: "request.too-large",
      overflow: { limitTokens: 4_000 },
    });
  });

  it("fits within the pressure of a refusal", async () => {
    const bench = await openFitBench();
    const fitted = await bench.fit(makeChat(30), { pressure: { maxTokens: 900 } });
    expect(fitted.form.tokens).toBeLessThanOrEqual(900);
  });
});

describe("a conversation with too many images", () => {
  const image = { type: "image", source: { type: "base64", media_type: "image/png", data: PIXEL_PNG } };
  const shown = (count: number) =>
    makeChat(0, {
      messages: Array.from({ length: count }, (_, index) => [
        { role: "user", content: [{ type: "text", text: `Picture ${index}.` }, image] },
        { role: "assistant", content: "Seen." },
      ])
        .flat()
        .slice(0, -1),
    });

  it("is sent without the oldest, on the next turn too", async () => {
    const bench = await openFitBench({ window: 60_000, facts: { images: { maxCount: 8 } } });
    expect((await bench.fit(shown(8))).origin).toBe("raw");
    const first = await bench.fit(shown(9));
    expect(first.origin).toBe("new");
    const second = await bench.fit(shown(10));
    expect([second.origin, second.form.epoch]).toEqual(["reused", first.form.epoch]);
  });
});

describe("references before the trigger", () => {
  const text = Array.from({ length: 40 }, (_, line) => `line ${line} of the file says something of its own`).join("\n");
  const tools = [{ name: "read", input_schema: { type: "object" } }];
  const read = (id: string) => [
    { role: "assistant", content: [{ type: "tool_use", id, name: "read", input: {} }] },
    { role: "user", content: [{ type: "tool_result", tool_use_id: id, content: text }] },
  ];
  const question = { role: "user", content: "Read it." };

  it("replace repeated lines and stay the same on the next turn", async () => {
    const bench = await openFitBench({ window: 60_000, context: { references: "on" } });
    const first = await bench.fit(makeChat(0, { tools, messages: [question, ...read("a")] }));
    expect(first.origin).toBe("raw");
    const second = await bench.fit(makeChat(0, { tools, messages: [question, ...read("a"), ...read("b")] }));
    expect(second.origin).toBe("new");
    expect(second.form.tokens).toBeLessThan(second.originalTokens * 0.8);
    const third = await bench.fit(
      makeChat(0, {
        tools,
        messages: [question, ...read("a"), ...read("b"), { role: "assistant", content: "Read." }, question],
      }),
    );
    expect(third.origin).toBe("reused");
    expect(third.form.rendering?.parts).toEqual(second.form.rendering?.parts);
  });
});

function makeLong() {
  return [...makeChat(30).messages, { role: "user", content: "harbour ".repeat(6_000) }];
}

it("counts system, tools and the user's message", async () => {
  const bench = await openFitBench();
  const { history } = await bench.fitRequest(makeChat(3, { system: "Be brief." }));
  expect(history.headTokens).toBeGreaterThan(0);
  expect(mustStayTokens(history)).toBe(history.headTokens + (history.messageTokens.at(-1) ?? 0));
});

it("finds the user's message before tool results, which can be shortened", async () => {
  const bench = await openFitBench();
  const { history } = await bench.fitRequest(makeReads(1, 2));
  expect(mustStayTokens(history)).toBe(history.messageTokens[0]);
});

it("counts no messages without the user's own words", async () => {
  const bench = await openFitBench();
  const { messages } = makeReads(1);
  expect(mustStayTokens((await bench.fitRequest(makeChat(0, { messages: messages.slice(1) }))).history)).toBe(0);
});

it.each([
  ["a picture", [{ type: "image", source: { type: "base64", media_type: "image/png", data: "AAAA" } }]],
  ["a tool's answer", [{ type: "tool_result", tool_use_id: "call_0", content: "long" }]],
])("counts nothing if the latest message also has %s", async (_, beside) => {
  const bench = await openFitBench();
  const { messages } = makeReads(1);
  const mixed = { role: "user", content: [...beside, { type: "text", text: "And now?" }] };
  const { history } = await bench.fitRequest(makeChat(0, { messages: [...messages.slice(0, -1), mixed] }));
  expect(mustStayTokens(history)).toBe(0);
});

it("counts no tool results that a client wrote as text", async () => {
  const bench = await openFitBench();
  const composed =
    "[read_file for 'a.ts'] Result:\n\n<files><file><path>a.ts</path><content>1</content></file></files>";
  const { history } = await bench.fitRequest(makeChat(0, { messages: [{ role: "user", content: composed }] }));
  expect(mustStayTokens(history)).toBe(0);
});

/** A conversation that nearly fills the window. */
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
const expensive = { facts: { prices: { ...PRICES, output: 9_999 } } };

describe("isWorthIt", () => {
  it.each([
    ["a threshold set by the operator", { ...expensive, context: { strategy: "native", threshold: 80 } }, true],
    ["a strategy with its own threshold", { ...expensive, context: { strategy: "sandwich" } }, true],
    ["a summary that pays for itself", native, true],
    ["a summary without a known price", { ...native, model: "claude-unheard-of" }, true],
    ["a summary that costs more than it saves", { ...expensive, ...native }, false],
  ])("decides for %s: %j, %s", async (_, options, expected) => {
    const { fitRequest, form } = await openGrown(options);
    expect(isWorthIt(fitRequest, form)).toBe(expected);
  });
});

describe("wasSentLately", () => {
  it("assumes that a request of the last five minutes is cached", async () => {
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

const image = (data = PIXEL_PNG) => ({ type: "image", source: { type: "base64", media_type: "image/png", data } });
const pictured = (count: number) =>
  makeChat(0, {
    messages: Array.from({ length: count }, (_, index) => [
      { role: "user", content: [image()] },
      { role: "assistant", content: `Seen ${index}.` },
    ]).flat(),
  });

async function surplusOf(facts: object, body: object, rendering?: Partial<Rendering>) {
  const fitRequest = await (await openFitBench({ facts })).fitRequest(body);
  const made = rendering && { messages: 0, parts: [], prints: [], ratio: 1, ...rendering };
  return hasSurplusMedia(fitRequest, { ...rawForm(fitRequest), ...(made && { rendering: made }) });
}

const kept = (from: number, to: number): Part => ({ kind: "kept", from, to });
const written = (text: string): Part => ({
  kind: "written",
  json: JSON.stringify(textMessage("user", text)),
  tokens: 1,
});

describe("hasSurplusMedia", () => {
  it("counts the sent images", async () => {
    const facts = { images: { maxCount: 2 } };
    expect(await surplusOf(facts, pictured(2))).toBe(false);
    expect(await surplusOf(facts, pictured(3))).toBe(true);
    expect(await surplusOf(facts, pictured(3), { messages: 2, parts: [written("Gone.")] })).toBe(false);
    expect(await surplusOf(facts, pictured(3), { messages: 2, parts: [kept(0, 2)] })).toBe(true);
    expect(await surplusOf({}, pictured(3))).toBe(false);
  });

  it("checks the size of the largest image", async () => {
    const facts = { images: { maxBytes: 2_000 } };
    const large = makeChat(0, { messages: [{ role: "user", content: [image(), image("A".repeat(2_800))] }] });
    expect(await surplusOf(facts, pictured(1))).toBe(false);
    expect(await surplusOf(facts, large)).toBe(true);
  });

  it("counts the bytes of the sent body", async () => {
    const facts = { maxRequestBytes: 2_000 };
    const body = makeChat(5);
    expect(JSON.stringify(body).length).toBeGreaterThan(2_000);
    expect(await surplusOf(facts, makeChat(1))).toBe(false);
    expect(await surplusOf(facts, body)).toBe(true);
    expect(await surplusOf(facts, body, { messages: 10, parts: [written("In short.")] })).toBe(false);
    expect(await surplusOf(facts, body, { messages: 10, parts: [kept(0, 10)] })).toBe(true);
    expect(await surplusOf(facts, body, { messages: 10, parts: [written("ü".repeat(1_000))] })).toBe(true);
  });
});

import { makeUsage } from "@longhaul/conversation/testing";
import { rawForm, record } from "@longhaul/fit";
import { type Handler, json, makeAsk, openUpstream } from "@longhaul/fit/testing";
import { makeEpoch } from "@longhaul/store/testing";
import { afterEach, describe, expect, it } from "vitest";
import { BENCH_MODEL, type FitBenchOptions, makeChat, openFitBench } from "../testing/fitting.ts";
import { compactorFor, summarizerFor } from "./summarize.ts";

const closers: (() => Promise<void>)[] = [];
afterEach(async () => {
  for (const close of closers.splice(0).reverse()) await close();
});

const SUMMARY =
  "They work in src/part-100/module-100.ts, where handleCase100 returns 700 and 1100 is expected. ".repeat(3);
const replyOf = (...content: object[]) => ({
  id: "m1",
  type: "message",
  role: "assistant",
  model: BENCH_MODEL,
  content,
  stop_reason: "end_turn",
  usage: { input_tokens: 1_000, output_tokens: 100 },
});
const good = json(replyOf({ type: "text", text: SUMMARY }));

async function openWith(handler: Handler, { model = BENCH_MODEL, ...options }: FitBenchOptions = {}) {
  const upstream = await openUpstream(handler);
  const bench = await openFitBench({
    model,
    window: 100_000,
    ...options,
    config: {
      upstreams: { anthropic: { kind: "anthropic", baseUrl: upstream.url, apiKey: "k", maxRetries: 0 } },
      routes: [{ match: "*", upstream: "anthropic" }],
      ...options.config,
    },
  });
  closers.push(upstream.close, bench.snapshot.close);
  const body = makeChat(20, { model });
  const fitRequest = await bench.fitRequest(body);
  const form = rawForm(fitRequest);
  const context = { snapshot: bench.snapshot, random: () => 1, wait: () => Promise.resolve() };
  /** Records an answer of the upstream. */
  const sendNow = () =>
    record({ fitRequest, form, originalTokens: form.tokens, origin: "raw" }, makeUsage({ inputTokens: form.tokens }));
  const seen = () => upstream.seen.map(({ body: text }) => JSON.parse(text));
  return { bench, fitRequest, form, context, sendNow, seen, body, upstream };
}

describe("summarizerFor", () => {
  it("writes summaries without a model in a worker thread", async () => {
    const { fitRequest, form, context } = await openWith(good, { context: { spendCapUsd: 0 } });
    const answerOffline = async () => ({ kind: "text" as const, text: "From another thread." });
    const workers = { ...fitRequest.state.workers, answerOffline };
    const elsewhere = { ...fitRequest, state: { ...fitRequest.state, workers } };
    expect(await summarizerFor(elsewhere, form, context)(makeAsk())).toMatchObject({ text: "From another thread." });
  });

  it("falls back to the worker thread after every model has failed", async () => {
    const { fitRequest, form, context } = await openWith(json({ error: { message: "no" } }, 400));
    const answerOffline = async () => ({ kind: "text" as const, text: "From another thread." });
    const workers = { ...fitRequest.state.workers, answerOffline };
    const elsewhere = { ...fitRequest, state: { ...fitRequest.state, workers } };
    expect(await summarizerFor(elsewhere, form, context)(makeAsk())).toMatchObject({ text: "From another thread." });
  });

  it("uses the conversation's own model, and logs the writer without the text", async () => {
    const { bench, fitRequest, form, context, seen } = await openWith(good);
    const answer = await summarizerFor(fitRequest, form, context)(makeAsk());
    expect(answer).toMatchObject({ kind: "text", text: SUMMARY.trim() });
    expect(answer.costUsd).toBeGreaterThan(0);
    expect(seen()).toMatchObject([{ model: BENCH_MODEL }]);
    expect(seen()[0].messages).toHaveLength(1);
    const [logged] = bench.lines.map((line) => JSON.parse(line));
    expect(logged).toMatchObject({ id: "lh_test", msg: "summary written", costUsd: answer.costUsd });
    expect(bench.lines.join()).not.toContain("handleCase");
  });

  it("appends the ask to the sent request while that is cached, otherwise writes it out", async () => {
    let now = 0;
    const { fitRequest, form, context, sendNow, seen, body } = await openWith(good, { nowMs: () => now });
    sendNow();
    const range = { from: 1, to: 30 };
    const ask = makeAsk(undefined, { range, messages: fitRequest.call.request().conversation.messages.slice(1, 30) });
    await summarizerFor(fitRequest, form, context)(ask);
    expect(seen()[0].messages.slice(0, body.messages.length - 1)).toEqual(body.messages.slice(0, -1));
    now = 5 * 60_000;
    await summarizerFor(fitRequest, form, context)(ask);
    expect(seen()[1].messages).toHaveLength(1);
  });

  it("does not append to a request that does not fit", async () => {
    const { fitRequest, form, context, sendNow, seen } = await openWith(good);
    sendNow();
    const range = { from: 1, to: 30 };
    const ask = makeAsk(undefined, { range, messages: fitRequest.call.request().conversation.messages.slice(1, 30) });
    await summarizerFor(fitRequest, { ...form, tokens: 100_000 }, context)(ask);
    expect(seen()[0].messages).toHaveLength(1);
  });

  it("stops using a model at the spend cap of a conversation", async () => {
    const { fitRequest, form, context, upstream } = await openWith(good, { context: { spendCapUsd: 1 } });
    const { state, scope, history } = fitRequest;
    const over = (messages: number) => ({
      scope,
      prefix: history.prefixes()[messages - 1] ?? "",
      evidence: { head: "", through: messages, messages: [] },
    });
    await state.epochs.put(makeEpoch({ ...over(4), costUsd: 0.6 }));
    await state.epochs.put(makeEpoch({ ...over(6), costUsd: 0.6, from: 5 }));
    await summarizerFor(fitRequest, form, context)(makeAsk());
    expect(upstream.seen).toHaveLength(1);
    await state.epochs.put(makeEpoch({ ...over(8), costUsd: 0.4 }));
    const answer = await summarizerFor(fitRequest, form, context)(makeAsk());
    expect(upstream.seen).toHaveLength(1);
    expect(answer).toMatchObject({ kind: "text" });
  });

  it("continues without a model if it fails, and logs why", async () => {
    const { bench, fitRequest, form, context } = await openWith(
      json({ type: "error", error: { type: "api_error", message: "oops" } }, 500),
    );
    const answer = await summarizerFor(fitRequest, form, context)(makeAsk());
    const [logged] = bench.lines.map((line) => JSON.parse(line));
    expect(answer.kind).toBe("text");
    expect(logged.failures.length).toBeGreaterThan(0);
  });
});

describe("compactorFor", () => {
  const model = "claude-opus-4-6";
  const block = { type: "compaction", content: "They spoke of harbours." };
  const compacting = json(replyOf(block, { type: "text", text: "Yes." }));

  it("compacts exactly the messages that were sent", async () => {
    const { fitRequest, form, context, sendNow, seen, body, bench } = await openWith(compacting, { model });
    sendNow();
    const messages = [...body.messages, { role: "assistant", content: "Yes." }, { role: "user", content: "More." }];
    const next = await bench.fitRequest({ ...body, messages });
    const compact = compactorFor(next, form, context);
    expect(await compact?.()).toMatchObject({ kind: "compaction", block: { text: "They spoke of harbours." } });
    expect(seen()).toHaveLength(1);
    expect(JSON.stringify(seen()[0])).not.toContain("More.");
    expect(seen()[0].messages.slice(0, body.messages.length - 1)).toEqual(body.messages.slice(0, -1));
    expect(fitRequest.scope).toBe(next.scope);
  });

  it("logs each compaction with its writer, tokens and cost", async () => {
    const { fitRequest, form, context, sendNow, bench } = await openWith(compacting, { model });
    sendNow();
    const answer = await compactorFor(fitRequest, form, context)?.();
    const logged = bench.lines.map((line) => JSON.parse(line));
    const writer = { kind: "model", upstream: "anthropic", model, form: "compaction" };
    expect(answer?.costUsd).toBeGreaterThan(0);
    expect(logged).toMatchObject([
      {
        id: "lh_test",
        msg: "summary written",
        writer,
        inputTokens: 1_000,
        outputTokens: 100,
        costUsd: answer?.costUsd,
      },
    ]);
  });

  it("logs a compaction without a block as a failure, with its cost", async () => {
    const { fitRequest, form, context, sendNow, bench } = await openWith(good, { model });
    sendNow();
    const answer = await compactorFor(fitRequest, form, context)?.();
    const [logged] = bench.lines.map((line) => JSON.parse(line));
    expect(answer).toMatchObject({ kind: "failed", why: "it returned no summary", costUsd: expect.any(Number) });
    expect(logged).toMatchObject({ msg: "summary failed", failures: [{ why: "it returned no summary" }] });
    expect(logged.costUsd).toBeGreaterThan(0);
  });

  it("does not compact after the spend cap of a conversation", async () => {
    const { fitRequest, form, context, sendNow } = await openWith(compacting, { model, context: { spendCapUsd: 0 } });
    sendNow();
    expect(compactorFor(fitRequest, form, context)).toBeUndefined();
  });

  it("does not compact with a new system prompt, unless the client names its conversation", async () => {
    const { form, context, sendNow, body, bench } = await openWith(compacting, { model });
    sendNow();
    const messages = [...body.messages, { role: "assistant", content: "Yes." }, { role: "user", content: "More." }];
    const next = await bench.fitRequest({ ...body, system: "It is 12:01.", messages });
    expect(compactorFor(next, form, context)).toBeUndefined();
    expect(compactorFor({ ...next, conversation: "session" }, form, context)).toBeDefined();
  });

  it("has nothing to compact before the first request", async () => {
    const { fitRequest, form, context } = await openWith(compacting, { model });
    expect(compactorFor(fitRequest, form, context)).toBeUndefined();
  });

  it.each<[string, FitBenchOptions]>([
    ["does not do that", {}],
    ["is not to do that", { model, config: { compaction: { onDemand: false } } }],
    ["is not to compact at all", { model, config: { compaction: { enabled: false } } }],
  ])("does not use a model that %s", async (_, options) => {
    const { fitRequest, form, context, sendNow } = await openWith(compacting, options);
    sendNow();
    expect(compactorFor(fitRequest, form, context)).toBeUndefined();
  });
});

import { LonghaulError } from "@longhaul/conversation";
import { makeUsage } from "@longhaul/conversation/testing";
import { type Fitted, keepBlock, rawForm } from "@longhaul/fit";
import { describe, expect, it } from "vitest";
import type { Notes } from "../record.ts";
import { BENCH_MODEL, type FitBench, type FitBenchOptions, makeChat, openFitBench } from "../testing/fitting.ts";
import { encode } from "./encode.ts";
import { condensedNote, type FitStageContext, fitCall, recoveryFrom } from "./fit.ts";
import { recall, remember } from "./recall.ts";
import { resolve, wishOf } from "./resolve.ts";

function contextOf({ memory, snapshot }: FitBench) {
  const notes: Notes[] = [];
  const context: FitStageContext = {
    memory,
    snapshot,
    signal: new AbortController().signal,
    random: () => 1,
    wait: (_, { aborted }) => (aborted ? Promise.resolve() : new Promise(() => {})),
    note: (note) => void notes.push(note),
  };
  return { context, notes };
}

async function fitIn(bench: FitBench, body: object, headers: Readonly<Record<string, string>> = {}) {
  const { context, notes } = contextOf(bench);
  const call = bench.call(body, headers);
  const [destination = bench.destination] = resolve(wishOf(call), bench.snapshot);
  const fitted = await fitCall(call, destination, { context, pressure: undefined });
  return { fitted, notes };
}

describe("fitCall", () => {
  it("makes a call fit, and notes and logs how", async () => {
    const bench = await openFitBench();
    const { fitted, notes } = await fitIn(bench, makeChat(60));
    expect(fitted?.origin).toBe("new");
    const [{ condensed } = {}] = notes;
    expect(condensed).toEqual(fitted && condensedNote(fitted));
    expect(condensed).toMatchObject({ strategy: "middle-out", origin: "new", sentTokens: fitted?.form.tokens });
    const logged = bench.lines.map((line) => JSON.parse(line));
    expect(logged).toMatchObject([
      { id: "lh_test", model: BENCH_MODEL, strategy: "middle-out", msg: "conversation condensed" },
    ]);
  });

  it("notes only the size of a call that is sent as it came", async () => {
    const bench = await openFitBench();
    const { fitted, notes } = await fitIn(bench, makeChat(1));
    const tokens = fitted?.form.tokens;
    expect([fitted?.origin, bench.lines]).toEqual(["raw", []]);
    expect(notes).toMatchObject([{ condensed: undefined }]);
    expect(notes[0]?.sized).toMatchObject({ originalTokens: tokens, sentTokens: tokens, windowTokens: 4_000 });
  });

  it.each<[string, FitBenchOptions, Readonly<Record<string, string>>]>([
    ["the operator switched it off", { context: { mode: "off" } }, {}],
    ["the client says true", {}, { "x-disable-compression": "True" }],
    ["the client says 1", {}, { "x-disable-compression": " 1 " }],
  ])("leaves a call alone where %s", async (_, options, headers) => {
    const bench = await openFitBench(options);
    expect(await fitIn(bench, makeChat(60), headers)).toEqual({ fitted: undefined, notes: [] });
  });

  it("takes no other word for a switch", async () => {
    const bench = await openFitBench();
    expect((await fitIn(bench, makeChat(60), { "x-disable-compression": "false" })).fitted?.origin).toBe("new");
  });

  it("only watches where it is told to: what it notes is not sent, and nobody is asked", async () => {
    const bench = await openFitBench({ context: { mode: "observe", strategy: "native" } });
    const { fitted, notes } = await fitIn(bench, makeChat(60));
    expect(fitted).toBeUndefined();
    expect(notes).toMatchObject([{ observed: { origin: "new" } }]);
    expect(bench.lines).toEqual([]);
    const before = bench.state.learned.ratio(bench.destination);
    const { tokens } = rawForm(await bench.fitRequest(makeChat(60)));
    notes[0]?.learn?.(makeUsage({ inputTokens: Math.round(tokens * 1.1) }));
    expect(bench.state.learned.ratio(bench.destination)).toBeGreaterThan(before);
    const small = await fitIn(bench, makeChat(1));
    expect(small.notes.map((note) => Object.keys(note))).toEqual([["learn", "sized"]]);
  });

  it("throws what cannot be made to fit, unless it only watches", async () => {
    const body = makeChat(1, { system: "Be brief. ".repeat(3_000) });
    await expect(fitIn(await openFitBench(), body)).rejects.toMatchObject({ code: "request.too-large" });
    const watching = await fitIn(await openFitBench({ context: { mode: "observe" } }), body);
    expect(watching.notes).toMatchObject([{ observed: { refused: expect.stringContaining("tokens over") } }]);
  });

  it("leaves a call as it came where fitting itself fails, and logs that", async () => {
    const bench = await openFitBench();
    const { context } = contextOf(bench);
    const broken = { ...bench.state, histories: { read: () => Promise.reject(new TypeError("oops")) } };
    const memory = { ...bench.memory, fitting: broken };
    const call = bench.call(makeChat(60));
    expect(
      await fitCall(call, bench.destination, { context: { ...context, memory }, pressure: undefined }),
    ).toBeUndefined();
    expect(bench.lines.join()).toContain("oops");
  });

  it("leaves it to the upstream to say what is wrong with a request", async () => {
    const bench = await openFitBench();
    const { fitted } = await fitIn(bench, makeChat(1, { messages: [{ role: "nobody", content: "Hello." }] }));
    expect([fitted, bench.lines]).toEqual([undefined, []]);
  });
});

describe("a call that refers to responses that are kept", () => {
  const input = (text: string) => [{ role: "user", content: text }];

  it("is left alone where the upstream keeps them itself", async () => {
    const bench = await openFitBench({ model: "gpt-4o", wire: "openai-responses", config: RESPONSES });
    expect(bench.destination.wire).toBe("openai-responses");
    const body = { model: "gpt-4o", previous_response_id: "r1", input: input("Well?") };
    expect((await fitIn(bench, body)).fitted).toBeUndefined();
    expect((await fitIn(bench, { ...body, previous_response_id: null })).fitted?.origin).toBe("raw");
  });

  it("is fitted with all that it refers to where they are kept here", async () => {
    const bench = await openFitBench({ wire: "openai-responses" });
    const { context } = contextOf(bench);
    const long = makeChat(60).messages;
    const first = bench.call({ model: BENCH_MODEL, input: long });
    const output = [{ type: "message", role: "assistant", content: [{ type: "output_text", text: "Harbours." }] }];
    remember(first, { id: "r1", output }, context);
    const call = recall(bench.call({ model: BENCH_MODEL, previous_response_id: "r1", input: input("Well?") }), context);
    const fitted = await fitCall(call, bench.destination, { context, pressure: undefined });
    expect(fitted?.origin).toBe("new");
    expect(fitted?.originalTokens).toBeGreaterThan(4_000);
    expect(fitted?.fitRequest.history.messages).toHaveLength(long.length + 2);
    const { outgoing } = encode(call, bench.destination, fitted);
    const sent = JSON.parse(Buffer.from(outgoing.body ?? []).toString());
    expect(JSON.stringify(sent.messages.at(-1))).toContain("Well?");
    expect(JSON.stringify(sent.messages.at(-2))).toContain("Harbours.");
    expect(sent.messages.length).toBeLessThan(long.length);
  });
});

const RESPONSES = {
  upstreams: { openai: { kind: "openai", wire: "openai-responses", baseUrl: "http://127.0.0.1:9/v1", apiKey: "k" } },
  routes: [{ match: "*", upstream: "openai" }],
};

describe("recoveryFrom", () => {
  async function openSent(): Promise<{ bench: FitBench; fitted: Fitted }> {
    const bench = await openFitBench();
    return { bench, fitted: await bench.fit(makeChat(20)) };
  }
  const tooLong = new LonghaulError("request.too-large", "prompt is too long", {
    overflow: { actualTokens: 5_000, limitTokens: 2_000 },
  });

  it("is a smaller request after one that was too long, at most twice", async () => {
    const { bench, fitted } = await openSent();
    const [second, third] = [await recoveryFrom(tooLong, fitted, 0), await recoveryFrom(tooLong, fitted, 1)];
    expect(second?.pressure?.maxTokens).toBeLessThan(2_000);
    expect(third?.pressure?.maxTokens).toBeLessThan(second?.pressure?.maxTokens ?? 0);
    expect(await recoveryFrom(tooLong, fitted, 2)).toBeUndefined();
    expect(bench.state.learned.window(fitted.fitRequest.call, bench.destination)).toBe(2_000);
  });

  it("learns from a refusal without figures once less is answered", async () => {
    const { bench, fitted } = await openSent();
    const unnamed = new LonghaulError("request.too-large", "too long");
    const recovery = await recoveryFrom(unnamed, fitted, 0);
    expect(bench.state.learned.window(fitted.fitRequest.call, bench.destination)).toBeUndefined();
    recovery?.onAnswered?.({ ...fitted, form: { ...fitted.form, tokens: 1_000 } });
    const expected = Math.floor((fitted.form.tokens + 1_000) / 2);
    expect(bench.state.learned.window(fitted.fitRequest.call, bench.destination)).toBe(expected);
  });

  it("is none for what is never made smaller, unless the answer was to be too long", async () => {
    const bench = await openFitBench({ context: { strategy: "full-history" } });
    const fitted = await bench.fit(makeChat(20));
    expect(await recoveryFrom(tooLong, fitted, 0)).toBeUndefined();
    expect(bench.state.learned.window(fitted.fitRequest.call, bench.destination)).toBe(2_000);
    const overflow = { actualTokens: 1_000, limitTokens: 2_000, outputTokens: 1_500 };
    const answerTooLong = new LonghaulError("request.too-large", "max_tokens is too large", { overflow });
    expect(await recoveryFrom(answerTooLong, fitted, 0)).toBeDefined();
  });

  it("is none for a call that was left alone, or for another error", async () => {
    const { fitted } = await openSent();
    expect(await recoveryFrom(tooLong, undefined, 0)).toBeUndefined();
    expect(await recoveryFrom(new LonghaulError("upstream.busy", "slow down"), fitted, 0)).toBeUndefined();
  });

  it("is the same request without the million-token beta, once", async () => {
    const { bench, fitted } = await openSent();
    const refused = new LonghaulError(
      "upstream.refused",
      "The long context beta is not yet available for this subscription.",
    );
    expect(await recoveryFrom(refused, fitted, 0)).toEqual({ pressure: undefined });
    expect(bench.state.learned.isLongContextRefused(fitted.fitRequest.call, bench.destination)).toBe(true);
    expect(await recoveryFrom(refused, fitted, 1)).toBeUndefined();
  });

  it("is the same request without a vendor's summary that was refused", async () => {
    const { bench, fitted } = await openSent();
    const epoch = await keepBlock(fitted, { type: "compaction", text: "Harbours.", vendor: "anthropic" });
    const refused = new LonghaulError("upstream.refused", "messages.0.content.0.compaction.signature: invalid");
    expect(await recoveryFrom(refused, { ...fitted, form: { ...fitted.form, epoch } }, 0)).toEqual({
      pressure: undefined,
    });
    expect(await bench.state.shelf.find(fitted.fitRequest)).toEqual([]);
    expect(await recoveryFrom(refused, fitted, 0)).toBeUndefined();
  });
});

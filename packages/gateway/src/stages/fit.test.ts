import { makeUsage } from "@longhaul/conversation/testing";
import { decode, rawForm, record as recordUsage } from "@longhaul/fit";
import { afterAll, describe, expect, it } from "vitest";
import { findEndpoint } from "../request/endpoints.ts";
import { makeCaller } from "../testing/caller.ts";
import { makeContext } from "../testing/context.ts";
import { BENCH_MODEL, type FitBench, type FitBenchOptions, makeChat, openFitBench } from "../testing/fitting.ts";
import { makeMemory } from "../testing/memory.ts";
import { makeSnapshot } from "../testing/snapshot.ts";
import { encodeSync } from "./encode.ts";
import { condensedNote, fitCall, promptSize } from "./fit.ts";
import { recall, remember } from "./recall.ts";
import { FIRST_TRY } from "./recover.ts";
import { resolve, routeQueryOf } from "./resolve.ts";

function contextOf({ memory, snapshot }: FitBench) {
  const wait = (_: number, { aborted }: AbortSignal) => (aborted ? Promise.resolve() : new Promise<void>(() => {}));
  return makeContext({ memory, snapshot, wait });
}

async function fitIn(bench: FitBench, body: object, headers: Readonly<Record<string, string>> = {}) {
  const context = contextOf(bench);
  const call = bench.call(body, headers);
  const [destination = bench.destination] = resolve(routeQueryOf(call), bench.snapshot);
  const fitted = await fitCall({ call, destination }, FIRST_TRY, context);
  const { sized, condensed, observed, calibration } = context.record;
  return { fitted, sized, condensed, observed, calibration };
}

describe("fitCall", () => {
  it("condenses a call, records it and logs it", async () => {
    const bench = await openFitBench();
    const { fitted, condensed, calibration } = await fitIn(bench, makeChat(60));
    expect(fitted?.origin).toBe("new");
    expect(calibration).toBe(fitted);
    expect(condensed).toEqual(fitted && condensedNote(fitted));
    expect(condensed).toMatchObject({ strategy: "middle-out", origin: "new", sentTokens: fitted?.form.tokens });
    const logged = bench.lines.map((line) => JSON.parse(line));
    expect(logged).toMatchObject([
      { id: "lh_test", model: BENCH_MODEL, strategy: "middle-out", msg: "conversation condensed" },
    ]);
  });

  it("records only the size of a call that already fits", async () => {
    const bench = await openFitBench();
    const { fitted, sized, condensed } = await fitIn(bench, makeChat(1));
    const tokens = fitted?.form.tokens;
    expect([fitted?.origin, bench.lines]).toEqual(["raw", []]);
    expect(condensed).toBeUndefined();
    expect(sized).toMatchObject({ originalTokens: tokens, sentTokens: tokens, windowTokens: 4_000 });
  });

  it.each<[string, FitBenchOptions, Readonly<Record<string, string>>]>([
    ["the operator switched it off", { context: { mode: "off" } }, {}],
    ["the client says true", {}, { "x-disable-compression": "True" }],
    ["the client says 1", {}, { "x-disable-compression": " 1 " }],
  ])("does not fit a call if %s", async (_, options, headers) => {
    const bench = await openFitBench(options);
    expect(await fitIn(bench, makeChat(60), headers)).toEqual({});
  });

  it("ignores other values of the header", async () => {
    const bench = await openFitBench();
    expect((await fitIn(bench, makeChat(60), { "x-disable-compression": "false" })).fitted?.origin).toBe("new");
  });

  it("records what it would have sent in observe mode, and calls no model", async () => {
    const bench = await openFitBench({ context: { mode: "observe", strategy: "native" } });
    const { fitted, observed, calibration } = await fitIn(bench, makeChat(60));
    expect(fitted).toBeUndefined();
    expect(observed).toMatchObject({ origin: "new" });
    expect(bench.lines).toEqual([]);
    const before = bench.state.learned.ratio(bench.destination);
    const { tokens } = rawForm(await bench.fitRequest(makeChat(60)));
    if (calibration === undefined) throw new Error("nothing to calibrate");
    recordUsage(calibration, makeUsage({ inputTokens: Math.round(tokens * 1.1) }));
    expect(bench.state.learned.ratio(bench.destination)).toBeGreaterThan(before);
    const small = await fitIn(bench, makeChat(1));
    expect(small).toMatchObject({ observed: undefined, sized: { windowTokens: 4_000 } });
  });

  it("throws if a call cannot be made to fit, and only records it in observe mode", async () => {
    const body = makeChat(1, { system: "Be brief. ".repeat(3_000) });
    await expect(fitIn(await openFitBench(), body)).rejects.toMatchObject({ code: "request.too-large" });
    const watching = await fitIn(await openFitBench({ context: { mode: "observe" } }), body);
    expect(watching.observed).toEqual({ refused: expect.stringContaining("exceed the budget") });
  });

  it("sends the original if fitting fails, and logs the error", async () => {
    const bench = await openFitBench();
    const histories = { ...bench.state.histories, read: () => Promise.reject(new TypeError("oops")) };
    const broken = { ...bench.state, histories };
    const memory = { ...bench.memory, fitting: broken };
    const call = bench.call(makeChat(60));
    const context = contextOf({ ...bench, memory });
    expect(await fitCall({ call, destination: bench.destination }, FIRST_TRY, context)).toBeUndefined();
    expect(bench.lines.join()).toContain("oops");
  });

  it("leaves the error message for a malformed request to the upstream", async () => {
    const bench = await openFitBench();
    const { fitted } = await fitIn(bench, makeChat(1, { messages: [{ role: "nobody", content: "Hello." }] }));
    expect([fitted, bench.lines]).toEqual([undefined, []]);
  });
});

describe("a call that refers to stored responses", () => {
  const input = (text: string) => [{ role: "user", content: text }];

  it("is not fitted if the upstream stores them", async () => {
    const bench = await openFitBench({ model: "gpt-4o", wire: "openai-responses", config: RESPONSES });
    expect(bench.destination.wire).toBe("openai-responses");
    const body = { model: "gpt-4o", previous_response_id: "r1", input: input("Well?") };
    expect((await fitIn(bench, body)).fitted).toBeUndefined();
    expect((await fitIn(bench, { ...body, previous_response_id: null })).fitted?.origin).toBe("raw");
  });

  it("is fitted with everything that it refers to if the gateway stores them", async () => {
    const bench = await openFitBench({ wire: "openai-responses" });
    const context = contextOf(bench);
    const long = makeChat(60).messages;
    const first = bench.call({ model: BENCH_MODEL, input: long });
    const output = [{ type: "message", role: "assistant", content: [{ type: "output_text", text: "Harbours." }] }];
    remember(first, { id: "r1", output }, context);
    const call = recall(bench.call({ model: BENCH_MODEL, previous_response_id: "r1", input: input("Well?") }), context);
    const fitted = await fitCall({ call, destination: bench.destination }, FIRST_TRY, context);
    expect(fitted?.origin).toBe("new");
    expect(fitted?.originalTokens).toBeGreaterThan(4_000);
    expect(fitted?.fitRequest.history.messages).toHaveLength(long.length + 2);
    const { outgoing } = encodeSync({ call, destination: bench.destination, fitted });
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

const snapshot = makeSnapshot({ upstreams: { c: { kind: "anthropic" } }, routes: [{ match: "*", upstream: "c" }] });
afterAll(() => snapshot.close());

it.each([
  ["messages found in the bytes", '{"model":"claude-opus-4-6","messages":[{"role":"user","content":"one two three"}]}'],
  [
    "a body that must be parsed",
    '{"model":"claude-opus-4-6","top_k":1,"messages":[{"role":"user","content":"one two three"}],"top_k":2}',
  ],
])("counts the tokens of %s", async (_, text) => {
  const endpoint = findEndpoint("POST", "/v1/messages", {})!;
  const call = decode({
    id: "i",
    endpoint,
    body: new TextEncoder().encode(text),
    headers: {},
    query: "",
    caller: makeCaller(),
  });
  const [destination] = resolve({ key: undefined, model: call.model, wire: call.endpoint.wire }, snapshot);
  const memory = await makeMemory();
  const counter = await memory.counters.counterFor("claude");
  expect(await promptSize(call, destination!, { memory })).toBe(counter.countConversation(call.request().conversation));
});

import { NO_USAGE } from "@longhaul/conversation";
import { codecOf, writeSse } from "@longhaul/wire";
import { afterEach, describe, expect, it } from "vitest";
import { type BenchOptions, makeAsk, openBench } from "../testing/summaries.ts";
import { callModel, readSummaryReply } from "./call-model.ts";
import { textForm } from "./request-forms.ts";

const closers: (() => Promise<void>)[] = [];
afterEach(async () => {
  for (const close of closers.splice(0)) await close();
});

async function call(options: BenchOptions, { timeoutMs = 10_000, maxRetries = 2 } = {}) {
  const opened = await openBench({ script: () => "say Yes.", ...options });
  closers.push(opened.close);
  const { destination, call: client } = opened.context;
  const { connection } = destination.handle;
  const upstream = { ...connection.upstream, maxRetries };
  const handle = { ...destination.handle, connection: { ...connection, upstream } };
  const outgoing = textForm(makeAsk(), { destination, headers: client.headers }, 100);
  const model = { destination: { ...destination, handle }, outgoing, promptTokens: 1_000, maxCharacters: 1_000 };
  const run = (signal = new AbortController().signal) => callModel(model, { ...opened.context, timeoutMs }, signal);
  return { ...opened, run, circuit: handle.circuit };
}

const yes = { kind: "reply", reply: { blocks: [{ type: "text", text: "Yes." }] }, isTooLong: false };

describe("callModel", () => {
  it("gives the reply with what it consumed", async () => {
    const { run, simulator } = await call({});
    const called = await run();
    const { inputTokens, outputTokens } = simulator.totals();
    expect(called).toMatchObject({ ...yes, usages: [{ ...NO_USAGE, inputTokens, outputTokens }] });
  });

  it("estimates what it consumed where the upstream does not say", async () => {
    const { run } = await call({ faults: [{ fault: "usage-missing" }] });
    expect(await run()).toMatchObject({ ...yes, usages: [{ ...NO_USAGE, inputTokens: 1_000, outputTokens: 1 }] });
  });

  it("tells of every try", async () => {
    const { run } = await call({ faults: [{ fault: "status=503" }] });
    expect(await run()).toMatchObject({ ...yes, usages: [NO_USAGE, { outputTokens: expect.any(Number) }] });
  });

  it("is not made again where the upstream wants to be left alone for long", async () => {
    const { run, simulator } = await call({ faults: [{ fault: "status=429, retry-after=60", times: 2 }] });
    expect(await run()).toMatchObject({ kind: "error", error: { code: "upstream.busy" } });
    expect(simulator.totals().requests).toBe(1);
  });

  it("is not made again where the configuration says so", async () => {
    const { run, simulator } = await call({ faults: [{ fault: "status=503", times: 2 }] }, { maxRetries: 0 });
    expect(await run()).toMatchObject({ kind: "error", usages: [NO_USAGE] });
    expect(simulator.totals().requests).toBe(1);
  });

  it("tells the circuit how the upstream is doing", async () => {
    const { run, circuit, simulator } = await call({ faults: [{ fault: "status=500", times: 9 }] });
    for (let failures = 0; failures < 3; failures++) await run();
    expect(circuit.allows()).toBe(false);
    expect(await run()).toMatchObject({ kind: "error", why: expect.stringContaining("has been failing"), usages: [] });
    expect(simulator.totals().requests).toBe(5);
  });

  it("takes a refusal of the request for no fault of the upstream", async () => {
    const { run, circuit } = await call({ faults: [{ fault: "status=400", times: 9 }] });
    for (let failures = 0; failures < 6; failures++) await run();
    expect(circuit.allows()).toBe(true);
  });

  it("counts an answer that stalls as begun", async () => {
    const { run } = await call({ faults: [{ fault: "stall" }] }, { timeoutMs: 1_000 });
    expect(await run()).toMatchObject({
      kind: "error",
      error: { code: "upstream.timeout" },
      why: "it did not finish within 1 s",
      usages: [{ inputTokens: 1_000 }],
    });
  });

  it("throws the reason of whoever calls it off", async () => {
    const { run, simulator } = await call({ faults: [{ fault: "hang" }] });
    const stop = new AbortController();
    const calling = run(stop.signal);
    await expect.poll(() => simulator.requests().length).toBe(1);
    stop.abort(new Error("enough"));
    await expect(calling).rejects.toThrow("enough");
  });
});

const codec = codecOf("openai-chat");
const encoder = new TextEncoder();

async function* chunks(...texts: string[]) {
  for (const text of texts) yield encoder.encode(text);
}

const choice = (content: string, finish: string | null = null) =>
  `data: ${JSON.stringify({ id: "r", model: "m", choices: [{ index: 0, delta: { content }, finish_reason: finish }] })}\n\n`;

describe("hear", () => {
  it("reads a whole answer", async () => {
    const body = { id: "r", model: "m", choices: [{ index: 0, message: { content: "Hi" }, finish_reason: "stop" }] };
    const reply = await readSummaryReply(chunks(JSON.stringify(body)), { codec, isStream: false, maxCharacters: 1 });
    expect(reply).toMatchObject({ kind: "reply", reply: { blocks: [{ text: "Hi" }] }, isTooLong: true });
  });

  it("reads a stream to its end", async () => {
    const stream = chunks(choice("Hel"), choice("lo"), choice("", "stop"), "data: [DONE]\n\n");
    const reply = await readSummaryReply(stream, { codec, isStream: true, maxCharacters: 5 });
    expect(reply).toMatchObject({
      kind: "reply",
      reply: { blocks: [{ type: "text", text: "Hello" }], stopReason: "end" },
      isTooLong: false,
    });
  });

  it("ends a stream that says too much, and lets go of it", async () => {
    let isLetGo = false;
    async function* endless() {
      try {
        for (;;) yield encoder.encode(choice("word "));
      } finally {
        isLetGo = true;
      }
    }
    const reply = await readSummaryReply(endless(), { codec, isStream: true, maxCharacters: 20 });
    expect(reply).toMatchObject({
      kind: "reply",
      reply: { blocks: [{ type: "text", text: "word ".repeat(5) }], stopReason: "length" },
      isTooLong: true,
    });
    expect(isLetGo).toBe(true);
  });

  it("says what can't be read", async () => {
    const broken = await readSummaryReply(chunks("<html>"), { codec, isStream: false, maxCharacters: 5 });
    expect(broken).toMatchObject({ kind: "broken", error: { code: "upstream.broken" }, usage: NO_USAGE });
    const cut = await readSummaryReply(chunks(choice("Hel")), { codec, isStream: true, maxCharacters: 5 });
    expect(cut).toMatchObject({ kind: "broken", error: { code: "upstream.broken" } });
  });

  it("keeps what was reported before a stream broke", async () => {
    const usage = { input_tokens: 7, cache_read_input_tokens: 5, output_tokens: 1 };
    const start = { type: "message_start", message: { id: "r", model: "m", content: [], usage } };
    const stream = chunks(writeSse({ event: "message_start", data: JSON.stringify(start) }));
    const reply = await readSummaryReply(stream, {
      codec: codecOf("anthropic-messages"),
      isStream: true,
      maxCharacters: 5,
    });
    expect(reply).toMatchObject({ kind: "broken", usage: { inputTokens: 7, cacheReadTokens: 5 } });
  });

  it("does not take a fault of ours for one of theirs", async () => {
    async function* failing(): AsyncGenerator<Uint8Array> {
      yield encoder.encode(choice("Hel"));
      throw new TypeError("bug");
    }
    await expect(readSummaryReply(failing(), { codec, isStream: true, maxCharacters: 5 })).rejects.toThrow("bug");
  });
});

import { NO_USAGE } from "@longhaul/conversation";
import { openSimulator, type SimulatorOptions } from "@longhaul/simulator";
import { describe, expect, it, onTestFinished } from "vitest";
import { makeUpstream } from "../testing/upstream.ts";
import { callModel } from "./call-model.ts";
import { openHandle } from "./handle.ts";

const BODY = { model: "claude-sonnet-4-5", max_tokens: 100, messages: [{ role: "user", content: "Is it so?" }] };
const outgoing = {
  wire: "anthropic-messages",
  action: "generate",
  method: "POST",
  model: BODY.model,
  stream: false,
  headers: { "anthropic-version": "2023-06-01" },
  body: new TextEncoder().encode(JSON.stringify(BODY)),
} as const;

async function call(options: SimulatorOptions, { timeoutMs = 10_000, maxRetries = 2 } = {}) {
  const simulator = await openSimulator({ script: () => "say Yes.", ...options });
  const upstream = makeUpstream({ baseUrl: simulator.url, maxRetries });
  const handle = openHandle(upstream, { nowMs: () => 0, nowSeconds: () => 0, environment: {} });
  onTestFinished(async () => {
    await handle.connection.close();
    await simulator.close();
  });
  const model = { handle, outgoing, promptTokens: 1_000, maxCharacters: 1_000 };
  const context = { random: () => 1, wait: async () => {}, timeoutMs };
  const run = (signal = new AbortController().signal) => callModel(model, context, signal);
  return { simulator, run, circuit: handle.circuit };
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

import { NO_USAGE } from "@longhaul/conversation/advanced";
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
  it("returns the reply and its usage", async () => {
    const { run, simulator } = await call({});
    const called = await run();
    const { inputTokens, outputTokens } = simulator.totals();
    expect(called).toMatchObject({ ...yes, usages: [{ ...NO_USAGE, inputTokens, outputTokens }] });
  });

  it("estimates the usage if the upstream reports none", async () => {
    const { run } = await call({ faults: [{ fault: "usage-missing" }] });
    expect(await run()).toMatchObject({ ...yes, usages: [{ ...NO_USAGE, inputTokens: 1_000, outputTokens: 1 }] });
  });

  it("returns the usage of every attempt", async () => {
    const { run } = await call({ faults: [{ fault: "status=503" }] });
    expect(await run()).toMatchObject({ ...yes, usages: [NO_USAGE, { outputTokens: expect.any(Number) }] });
  });

  it("does not retry if the upstream asks for a long wait", async () => {
    const { run, simulator } = await call({ faults: [{ fault: "status=429, retry-after=60", times: 2 }] });
    expect(await run()).toMatchObject({ kind: "error", error: { code: "upstream.busy" } });
    expect(simulator.totals().requests).toBe(1);
  });

  it("does not retry if the upstream's settings forbid it", async () => {
    const { run, simulator } = await call({ faults: [{ fault: "status=503", times: 2 }] }, { maxRetries: 0 });
    expect(await run()).toMatchObject({ kind: "error", usages: [NO_USAGE] });
    expect(simulator.totals().requests).toBe(1);
  });

  it("reports failures to the circuit and skips an upstream whose circuit is open", async () => {
    const { run, circuit, simulator } = await call({ faults: [{ fault: "status=500", times: 9 }] });
    for (let failures = 0; failures < 3; failures++) await run();
    expect(circuit.allows()).toBe(false);
    expect(await run()).toMatchObject({
      kind: "error",
      why: expect.stringContaining("is paused after repeated failures"),
      usages: [],
    });
    expect(simulator.totals().requests).toBe(5);
  });

  it("does not count a refused request as a failure of the upstream", async () => {
    const { run, circuit } = await call({ faults: [{ fault: "status=400", times: 9 }] });
    for (let failures = 0; failures < 6; failures++) await run();
    expect(circuit.allows()).toBe(true);
  });

  it("estimates the usage of an answer that stalls until the timeout", async () => {
    const { run } = await call({ faults: [{ fault: "stall" }] }, { timeoutMs: 1_000 });
    expect(await run()).toMatchObject({
      kind: "error",
      error: { code: "upstream.timeout" },
      why: "it did not finish within 1 s",
      usages: [{ inputTokens: 1_000 }],
    });
  });

  it("throws the reason of an aborted signal", async () => {
    const { run, simulator } = await call({ faults: [{ fault: "hang" }] });
    const stop = new AbortController();
    const calling = run(stop.signal);
    await expect.poll(() => simulator.requests().length).toBe(1);
    stop.abort(new Error("enough"));
    await expect(calling).rejects.toThrow("enough");
  });
});

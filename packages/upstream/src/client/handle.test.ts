import { type ErrorCode, LonghaulError } from "@longhaul/conversation";
import { describe, expect, it } from "vitest";
import { makeUpstream } from "../testing/upstream.ts";
import { type FailedAttempt, openHandle, withRetries } from "./handle.ts";

type Outcome = FailedAttempt | "done";

const failure = (code: ErrorCode, headers = {}): FailedAttempt => ({ error: new LonghaulError(code, "no"), headers });
const broken = failure("upstream.broken");

/** Runs scripted outcomes, one per attempt; the last one repeats. */
async function run(outcomes: readonly Outcome[], { maxRetries = 2, options = {} } = {}) {
  const handle = openHandle(makeUpstream({ maxRetries }), { nowMs: () => 0, nowSeconds: () => 0, environment: {} });
  const waits: number[] = [];
  let attempts = 0;
  const outcome = await withRetries<Outcome>(
    handle,
    async () => outcomes[Math.min(attempts++, outcomes.length - 1)] ?? "done",
    {
      failureIn: (each) => (each === "done" ? undefined : each),
      random: () => 1,
      wait: async (ms) => void waits.push(ms),
      ...options,
    },
  );
  return { handle, outcome, attempts, waits };
}

describe("withRetries", () => {
  it("returns the outcome of the first attempt that succeeds", async () => {
    expect(await run([broken, broken, "done"])).toMatchObject({ outcome: "done", attempts: 3, waits: [500, 1_000] });
  });

  it("returns the last failure after the upstream's number of retries, or the caller's", async () => {
    expect(await run([broken])).toMatchObject({ outcome: broken, attempts: 3 });
    expect(await run([broken], { options: { maxRetries: 0 } })).toMatchObject({ outcome: broken, attempts: 1 });
  });

  it("waits as long as the upstream asks, and gives up if that is too long", async () => {
    const busy = failure("upstream.busy", { "retry-after": "2" });
    expect(await run([busy, "done"])).toMatchObject({ outcome: "done", waits: [2_000] });
    expect(await run([failure("upstream.busy", { "retry-after": "60" })])).toMatchObject({ attempts: 1 });
  });

  it.each([
    ["the error is not retryable", failure("upstream.refused"), {}],
    ["the upstream says so", failure("upstream.busy", { "x-should-retry": "false" }), {}],
    ["it timed out and timeouts are not retried", failure("upstream.timeout"), { retriesTimeouts: false }],
  ])("does not retry if %s", async (_, failed, options) => {
    expect(await run([failed], { options })).toMatchObject({ outcome: failed, attempts: 1 });
  });

  it("stops when the retry budget is spent", async () => {
    expect(await run([broken], { maxRetries: 9 })).toMatchObject({ attempts: 4 });
  });

  it("opens the circuit after repeated failures of the upstream, but not after refused requests", async () => {
    const { handle } = await run([broken], { maxRetries: 3 });
    expect(handle.circuit.allows()).toBe(true);
    handle.circuit.failed();
    expect(handle.circuit.allows()).toBe(false);
    const refused = await run([failure("upstream.refused")]);
    for (let failures = 0; failures < 4; failures++) refused.handle.circuit.failed();
    expect(refused.handle.circuit.allows()).toBe(true);
  });
});

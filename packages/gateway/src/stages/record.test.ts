import type { Report } from "@longhaul/condense/advanced";
import { LonghaulError, NO_USAGE } from "@longhaul/conversation/advanced";
import type { CondensationEvent } from "@longhaul/store";
import { describe, expect, it } from "vitest";
import type { EndedRequest } from "../events/observer.ts";
import { openRecord, type RequestRecord } from "../request/request-record.ts";
import { makeCaller } from "../testing/caller.ts";
import { makeChat, openFitBench } from "../testing/fitting.ts";
import { makeMemory } from "../testing/memory.ts";
import { makeSnapshot } from "../testing/snapshot.ts";
import { record, recordCondensation } from "./record.ts";

const endpoint = { wire: "anthropic-messages", action: "generate", method: "POST" } as const;
const usage = { ...NO_USAGE, inputTokens: 100, outputTokens: 70 };

describe("record", () => {
  function finish(fields: Partial<RequestRecord>, observer: object = {}) {
    const lines: string[] = [];
    const ended: EndedRequest[] = [];
    const context = {
      record: { ...openRecord("lh_1", "00-aa-bb-01"), ...fields },
      snapshot: makeSnapshot({}, lines),
      observer: { finished: (one: EndedRequest) => void ended.push(one), condensed: () => {}, ...observer },
      signal: new AbortController().signal,
    };
    record(context, 200);
    return { ended, lines };
  }

  it("writes the log line and notifies the observer", () => {
    const { ended, lines } = finish({ endpoint, model: "sk-hush-0123456789", usage: () => usage });
    expect(JSON.parse(lines[0] ?? "")).toMatchObject({ id: "lh_1", outputTokens: 70, msg: "request finished" });
    expect(ended).toMatchObject([{ event: { id: "lh_1", model: "[redacted]", outputTokens: 70 } }]);
    expect(ended[0]?.traceparent).toBe("00-aa-bb-01");
  });

  it("calibrates the token count with the reported usage", async () => {
    const bench = await openFitBench();
    const calibration = await bench.fit(makeChat(10));
    const before = bench.state.learned.ratio(bench.destination);
    finish({ calibration, usage: () => ({ ...NO_USAGE, inputTokens: calibration.form.tokens * 2 }) });
    expect(bench.state.learned.ratio(bench.destination)).toBeGreaterThan(before);
  });

  it.each([
    [21, "an answer without usage", {}],
    [0, "a failed request", { error: new LonghaulError("upstream.broken", "it failed") }],
  ])("counts %i messages of %s as sent", async (messages, _, outcome) => {
    const calibration = await (await openFitBench()).fit(makeChat(10));
    finish({ calibration, ...outcome });
    const { state, scope, history } = calibration.fitRequest;
    expect(state.anchors.sentMessages(scope, history.prefixes())).toBe(messages);
  });

  it.each([
    [new SyntaxError("Unexpected token in: the user's words"), undefined],
    [new LonghaulError("upstream.broken", "the user's words"), undefined],
    [new Error("connect ECONNREFUSED 10.0.0.1:443"), "it failed (connect ECONNREFUSED 10.0.0.1:443)"],
    [undefined, "it failed"],
  ])("logs the reason of a broken answer caused by %s as %s", (cause, why) => {
    const { lines } = finish({ endpoint, error: new LonghaulError("upstream.broken", "it failed", { cause }) });
    expect(JSON.parse(lines[0] ?? "").why).toBe(why);
    expect(lines.join()).not.toContain("the user's words");
  });

  it("logs a request without an endpoint and does not notify the observer", () => {
    const { ended, lines } = finish({});
    expect([ended, lines.length]).toEqual([[], 1]);
  });

  it("logs the failure of an observer", () => {
    const finished = () => {
      throw new TypeError("no room");
    };
    const { lines } = finish({ endpoint }, { finished });
    expect(JSON.parse(lines[1] ?? "")).toMatchObject({
      level: 50,
      id: "lh_1",
      stack: expect.stringContaining("no room"),
    });
  });
});

const CANARY = "hush-said-0123456789";
const report: Report = {
  strategy: "native",
  strategyName: "Native",
  passes: [
    {
      id: "summarize",
      name: "Summary",
      outcome: "applied",
      tokensBefore: 9_000,
      tokensAfter: 2_000,
      operations: { summarize: 1 },
      costUsd: 0.02,
      milliseconds: 12.4,
      facts: { found: 5, retainedBySummary: 3, putBack: [CANARY, "src/a.ts"] },
    },
    {
      id: "fit",
      name: "Fit",
      outcome: "failed",
      why: `the summarizer failed: ${CANARY}`,
      tokensBefore: 1,
      tokensAfter: 1,
      operations: {},
      costUsd: 0,
      milliseconds: 1,
    },
  ],
  tokensBefore: 9_000,
  tokensAfter: 2_000,
  costUsd: 0.02,
  savedPerCallUsd: 0.1,
  milliseconds: 13.6,
  fallbacks: [{ strategy: "smart", why: CANARY }],
  warnings: [`Fit failed: ${CANARY}`],
};
describe("recordCondensation", () => {
  async function recorded(given = report) {
    const lines: string[] = [];
    const events: CondensationEvent[] = [];
    const context = {
      memory: await makeMemory(() => 7),
      snapshot: makeSnapshot({}, lines),
      observer: { finished: () => {}, condensed: (one: CondensationEvent) => void events.push(one) },
    };
    const call = { id: "lh_1", caller: makeCaller({}, { keyId: "k1" }) };
    const { destination } = await openFitBench({ model: "claude-opus-4-6" });
    const fitRequest = { destination, tenant: "team", session: "talk" };
    recordCondensation(call, { fitRequest, report: given, estimatedUsd: 0.03 }, context);
    return { logged: JSON.parse(lines[0] ?? ""), event: events[0] };
  }

  it("writes the log line and the event with the figures and their owner", async () => {
    const { logged, event } = await recorded();
    expect(logged).toMatchObject({ id: "lh_1", model: "claude-opus-4-6", strategy: "native", tokensAfter: 2_000 });
    expect(event).toMatchObject({
      id: expect.stringMatching(/^lh_/),
      requestId: "lh_1",
      keyId: "k1",
      tenant: "team",
      session: "talk",
      upstream: "anthropic",
      strategy: "native",
      tokensBefore: 9_000,
      tokensAfter: 2_000,
      estimatedUsd: 0.03,
      atMs: 7,
      ms: 14,
    });
    expect(event?.report).toMatchObject({
      passes: [
        { name: "Summary", operations: { summarize: 1 }, facts: { found: 5, putBack: 2 } },
        { outcome: "failed" },
      ],
      fallbacks: ["smart"],
      warnings: 1,
    });
  });

  it("records the cost of a condensation without a result", async () => {
    const { logged, event } = await recorded({ ...report, tokensAfter: 9_000 });
    expect(logged).toMatchObject({ level: 40, msg: "condensation without a result", costUsd: 0.02 });
    expect(event).toMatchObject({ tokensBefore: 9_000, tokensAfter: 9_000, costUsd: 0.02 });
  });

  it("keeps no text of the conversation in the event", async () => {
    expect(JSON.stringify((await recorded()).event)).not.toContain("hush");
  });
});

import { makeCondensationEvent } from "@longhaul/store/testing";
import { describe, expect, it } from "vitest";
import { makeFinished } from "../testing/events.ts";
import { countEvents } from "./count-events.ts";
import { METRICS } from "./metrics.ts";
import { writePrometheus } from "./prometheus.ts";
import { makeRegistry } from "./registry.ts";

function open() {
  const registry = makeRegistry({});
  const text = () => writePrometheus(registry.collect()).split("\n");
  return { ...countEvents(registry), text };
}

const CALL = 'action="chat",provider="anthropic",model="claude-opus-4-6",upstream="claude"';
const UPSTREAM = 'provider="anthropic",model="claude-opus-4-6",upstream="claude"';

describe("countEvents", () => {
  it("counts a request's duration, tokens and cost", () => {
    const { finished, text } = open();
    finished(makeFinished({ attempts: 3 }));
    finished(makeFinished());
    expect(text()).toEqual(
      expect.arrayContaining([
        `longhaul_requests_total{wire="anthropic-messages",${CALL},status="200"} 2`,
        `longhaul_request_seconds_sum{${CALL}} 4.301`,
        `longhaul_request_seconds_bucket{${CALL},le="1.28"} 0`,
        `longhaul_request_seconds_bucket{${CALL},le="2.56"} 2`,
        `longhaul_first_byte_seconds_sum{${CALL}} 1.2805`,
        'longhaul_added_seconds_sum{wire="anthropic-messages"} 0.007',
        `longhaul_tokens_total{${UPSTREAM},kind="cache_read"} 18000`,
        `longhaul_tokens_total{${UPSTREAM},kind="reasoning"} 240`,
        `longhaul_call_tokens_sum{${CALL},type="input"} 18824`,
        `longhaul_call_tokens_sum{${CALL},type="output"} 700`,
        `longhaul_cost_usd_total{${UPSTREAM}} 0.5`,
        'longhaul_retries_total{upstream="claude"} 2',
      ]),
    );
  });

  it("counts the savings and cost of condensing", () => {
    const { finished, condensed, text } = open();
    const sizes = { originalTokens: 120_000, sentTokens: 20_000, strategy: "native", origin: "reused" as const };
    finished(makeFinished({ ...sizes, savedUsd: 0.5 }));
    finished(makeFinished({ ...sizes, savedUsd: -0.125 }));
    condensed(makeCondensationEvent());
    expect(text()).toEqual(
      expect.arrayContaining([
        'longhaul_saved_tokens_total{model="claude-opus-4-6",strategy="native"} 200000',
        'longhaul_saved_usd{model="claude-opus-4-6",strategy="native"} 0.375',
        'longhaul_condensations_total{strategy="native"} 1',
        'longhaul_condensing_usd_total{strategy="native"} 0.125',
        'longhaul_condensing_seconds_sum{strategy="native"} 4.0005',
      ]),
    );
  });

  it("labels a model that the catalog does not list as other", () => {
    const { finished, text } = open();
    finished(makeFinished({ model: "hush", sentAs: "hush", session: "hush" }, { family: "" }));
    expect(text().join()).toContain('model="other"');
    expect(text().join()).not.toContain("hush");
  });

  it("gives every label a value", () => {
    const { finished, condensed, text } = open();
    const sizes = { originalTokens: 9, sentTokens: 1, strategy: "native", savedUsd: 1, attempts: 2, copiedMarks: 3 };
    finished(makeFinished(sizes));
    condensed(makeCondensationEvent());
    expect(text().filter((line) => line.includes('=""'))).toEqual([]);
    const counted = Object.values(METRICS).filter(({ kind }) => kind !== "gauge");
    const silent = counted.filter(
      ({ name }) => !text().some((line) => line.startsWith(`${name}{`) || line.startsWith(`${name}_sum`)),
    );
    expect(silent).toEqual([]);
  });
});

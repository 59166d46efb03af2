import { describe, expect, it } from "vitest";
import { makeCondensation, makeFinished } from "../testing/events.ts";
import { countEvents } from "./count-events.ts";
import { METRICS } from "./metrics.ts";
import { spellPrometheus } from "./prometheus.ts";
import { makeRegistry } from "./registry.ts";

function open() {
  const registry = makeRegistry({});
  const text = () => spellPrometheus(registry.collect()).split("\n");
  return { ...countEvents(registry), text };
}

const CALL = 'action="chat",provider="anthropic",model="claude-opus-4-6",upstream="up"';
const PLACE = 'provider="anthropic",model="claude-opus-4-6",upstream="up"';

describe("countEvents", () => {
  it("counts a request, its times, tokens and cost", () => {
    const { finished, text } = open();
    finished(makeFinished({ attempts: 3 }));
    finished(makeFinished());
    expect(text()).toEqual(
      expect.arrayContaining([
        `longhaul_requests_total{wire="anthropic-messages",${CALL},status="200"} 2`,
        `longhaul_request_seconds_sum{${CALL}} 1.8`,
        `longhaul_request_seconds_bucket{${CALL},le="0.64"} 0`,
        `longhaul_request_seconds_bucket{${CALL},le="1.28"} 2`,
        `longhaul_first_byte_seconds_sum{${CALL}} 0.8`,
        'longhaul_added_seconds_sum{wire="anthropic-messages"} 0.006',
        `longhaul_tokens_total{${PLACE},kind="cache_read"} 2000`,
        `longhaul_tokens_total{${PLACE},kind="reasoning"} 40`,
        `longhaul_call_tokens_sum{${CALL},type="input"} 2220`,
        `longhaul_call_tokens_sum{${CALL},type="output"} 100`,
        `longhaul_cost_usd_total{${PLACE}} 0.02`,
        'longhaul_retries_total{upstream="up"} 2',
      ]),
    );
  });

  it("counts what condensing saved and cost", () => {
    const { finished, condensed, text } = open();
    const sizes = { originalTokens: 120_000, sentTokens: 20_000, strategy: "native", origin: "reused" as const };
    finished(makeFinished({ ...sizes, savedUsd: 0.5 }));
    finished(makeFinished({ ...sizes, savedUsd: -0.125 }));
    condensed(makeCondensation());
    expect(text()).toEqual(
      expect.arrayContaining([
        'longhaul_saved_tokens_total{model="claude-opus-4-6",strategy="native"} 200000',
        'longhaul_saved_usd{model="claude-opus-4-6",strategy="native"} 0.375',
        'longhaul_condensations_total{strategy="native"} 1',
        'longhaul_condensing_usd_total{strategy="native"} 0.02',
        'longhaul_condensing_seconds_sum{strategy="native"} 3',
      ]),
    );
  });

  it("tells no names that clients make up", () => {
    const { finished, text } = open();
    finished(makeFinished({ model: "hush", sentAs: "hush", session: "hush" }, { family: "" }));
    expect(text().join()).toContain('model="other"');
    expect(text().join()).not.toContain("hush");
  });

  it("gives every figure as many values as it has labels", () => {
    const { finished, condensed, text } = open();
    const sizes = { originalTokens: 9, sentTokens: 1, strategy: "native", savedUsd: 1, attempts: 2 };
    finished(makeFinished(sizes));
    condensed(makeCondensation());
    expect(text().filter((line) => line.includes('=""'))).toEqual([]);
    const counted = Object.values(METRICS).filter(({ kind }) => kind !== "gauge");
    const silent = counted.filter(
      ({ name }) => !text().some((line) => line.startsWith(`${name}{`) || line.startsWith(`${name}_sum`)),
    );
    expect(silent).toEqual([]);
  });
});

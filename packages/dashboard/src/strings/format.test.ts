import fc from "fast-check";
import { describe, expect, it } from "vitest";
import {
  formatAgo,
  formatCount,
  formatDay,
  formatDuration,
  formatPercent,
  formatPrice,
  formatTime,
  formatUsd,
  plural,
  toLabel,
} from "./format.ts";

describe("formatCount", () => {
  it.each([
    [0, "0"],
    [999, "999"],
    [1_000, "1K"],
    [12_345, "12.3K"],
    [123_456, "123K"],
    [999_499, "999K"],
    [999_500, "1M"],
    [1_234_567, "1.2M"],
    [2_500_000_000, "2.5B"],
    [-1_500, "-1.5K"],
  ])("formats %d as %s", (count, text) => {
    expect(formatCount(count)).toBe(text);
  });

  it("returns at most six characters", () => {
    fc.assert(fc.property(fc.nat({ max: 2 ** 40 }), (count) => formatCount(count).length < 7));
  });
});

it.each([
  [0, "$0"],
  [0.00001, "<$0.0001"],
  [0.0123, "$0.0123"],
  [42.596, "$42.60"],
  [-3.5, "−$3.50"],
  [12_345.6, "$12,346"],
])("formats %d dollars as %s", (usd, text) => {
  expect(formatUsd(usd)).toBe(text);
});

it.each([
  [0, "0%"],
  [0.00001, "<0.1%"],
  [0.004, "0.4%"],
  [0.5, "50%"],
  [0.996, "99.6%"],
  [0.99999, ">99.9%"],
  [1, "100%"],
  [-0.67, "−67%"],
  [-0.001, "0%"],
])("formats the share %d as %s", (share, text) => {
  expect(formatPercent(share)).toBe(text);
});

it.each([
  [0.31, "0.31 ms"],
  [12.34, "12.3 ms"],
  [456, "456 ms"],
  [1_500, "1.5 s"],
  [120_000, "2 min"],
  [5_400_000, "1.5 h"],
])("formats %d ms as %s", (ms, text) => {
  expect(formatDuration(ms)).toBe(text);
});

it.each([
  [0, "now"],
  [12_000, "12 s ago"],
  [61_000, "1 min ago"],
  [7_200_000, "2 h ago"],
  [200_000_000, "2 d ago"],
  [-5, "now"],
])("formats a time %d ms ago as %s", (passed, text) => {
  expect(formatAgo(1_000_000_000 - passed, 1_000_000_000)).toBe(text);
});

it("formats times and days", () => {
  const atMs = new Date(2026, 2, 9, 0, 5).getTime();
  expect(`${formatDay(atMs)} ${formatTime(atMs)}`).toBe("Mar 9 00:05");
  expect(formatDay(Date.UTC(2026, 2, 9), "UTC")).toBe("Mar 9");
});

it("formats an unknown price", () => {
  expect([formatPrice(0.25), formatPrice(null)]).toEqual(["$0.25", "unknown"]);
});

it.each([
  ["maxToolResultLines", "Max tool result lines"],
  ["preserve_recent", "Preserve recent"],
  ["usdPerDay", "USD per day"],
  ["baseUrl", "Base URL"],
  ["apiKey", "API key"],
  ["accessKeyId", "Access key ID"],
  ["bodyLimitMiB", "Body limit (MiB)"],
  ["connectSeconds", "Connect (seconds)"],
  ["openai-compatible", "OpenAI compatible"],
  ["openrouter", "OpenRouter"],
  ["", ""],
])("turns the name %j into the label %j", (name, label) => {
  expect(toLabel(name)).toBe(label);
});

it("adds the singular or plural of a noun", () => {
  expect([plural(1, "edit"), plural(0, "edit"), plural(2, "summary", "summaries")]).toEqual([
    "1 edit",
    "0 edits",
    "2 summaries",
  ]);
});

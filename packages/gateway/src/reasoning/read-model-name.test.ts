import { parseConfig } from "@longhaul/settings";
import { afterAll, expect, it } from "vitest";
import { makeSnapshot } from "../testing/snapshot.ts";
import { readModelName, routeReasoning } from "./read-model-name.ts";

const snapshot = makeSnapshot({
  upstreams: { up: { kind: "simulator" } },
  reasoning: { patterns: { "my-thinker*": "effort" } },
  routes: [
    { match: "o4-mini:high", upstream: "up" },
    { match: "*-deep-high", upstream: "up" },
    { match: "Fast", upstream: "up", model: "gpt-5-mini" },
    { match: "any", upstream: "up", models: { up: "claude-opus-4-7" } },
    { match: "quick", upstream: "up", model: "claude-sonnet-4-5:2k" },
    { match: "odd", upstream: "up", model: "unheard-of" },
    { match: "deep-*", upstream: "up", reasoning: { patterns: { "deep-*": "budget" } } },
    { match: "*", upstream: "up" },
  ],
});
afterAll(() => snapshot.close());

it.each([
  ["o4-mini:low", "o4-mini", "low"],
  ["fast:high", "fast", "high"],
  ["any:high", "any", "high"],
  ["quick:high", "quick", "high"],
  ["deep-one:4k", "deep-one", "4k"],
  ["my-thinker:high", "my-thinker", "high"],
  ["gpt-4o:4k", "gpt-4o", "4k"],
])("finds the suffix of %s", (name, base, text) => {
  expect(readModelName(name, snapshot)).toMatchObject({ base, suffix: { text } });
});

it.each(["o4-mini:high", "gpt-5-deep-high", "odd:high", "unheard-of:high", "gpt-5-fast", "gpt-5.1-codex-max"])(
  "takes %s for a whole name",
  (name) => {
    expect(readModelName(name, snapshot)).toEqual({ base: name });
  },
);

it.each([
  ["claude-opus-4-6:4k:high", "claude-opus-4-6", "4k-high"],
  ["claude-opus-4-6(high)(low)", "claude-opus-4-6", "high-low"],
  ["gpt-5:low:low:low", "gpt-5", "low-low-low"],
])("returns the several suffixes of %s as one unknown suffix", (name, base, text) => {
  expect(readModelName(name, snapshot)).toEqual({ base, suffix: { text } });
});

const config = parseConfig(
  {
    upstreams: { up: { kind: "simulator" } },
    reasoning: { effort: "low", exclude: true },
    profiles: { deep: { reasoning: { effort: "medium" } } },
    routes: [
      { match: "a", upstream: "up", profile: "deep", reasoning: { effort: "high" } },
      { match: "b", upstream: "up", profile: "deep" },
      { match: "*", upstream: "up" },
    ],
  },
  {},
);

it("prefers the route over its profile, and the profile over the global settings", () => {
  const efforts = [...config.routes, undefined].map((route) => routeReasoning(route, config));
  expect(efforts).toEqual([
    { effort: "high", exclude: true },
    { effort: "medium", exclude: true },
    { effort: "low", exclude: true },
    { effort: "low", exclude: true },
  ]);
});

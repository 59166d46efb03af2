import { expect, it } from "vitest";
import { checkStorable, singleEntries } from "./storable.ts";

it.each([
  ["log.level", undefined],
  ["profiles.any.context.threshold", undefined],
  ["routes", undefined],
  ['models."gpt-4.1"', undefined],
  ["routes.0.upstream", "it is part of routes, which is stored as a whole; change that instead"],
  [
    "context.strategies.smart.passes",
    "it is part of context.strategies.smart, which is stored as a whole; change that instead",
  ],
  ["context", "unknown setting"],
  ["store.path", "it cannot be stored; set it in the file or the environment"],
  ["a..b", "it is not a setting"],
])("reports for %s: %s", (path, why) => {
  expect(checkStorable(path)).toBe(why);
});

it("splits a section into its settings", () => {
  const value = { upstream: "up", context: { threshold: -1, strategies: { smart: { passes: [] } } }, odd: 1 };
  expect(singleEntries({ path: "profiles.cheap", value })).toEqual([
    { path: "profiles.cheap.upstream", value: "up" },
    { path: "profiles.cheap.context.threshold", value: -1 },
    { path: "profiles.cheap.context.strategies.smart", value: { passes: [] } },
    { path: "profiles.cheap.odd", value: 1 },
  ]);
  expect(singleEntries({ path: "profiles.cheap" })).toEqual([{ path: "profiles.cheap" }]);
  expect(singleEntries({ path: "routes", value: [] })).toEqual([{ path: "routes", value: [] }]);
});

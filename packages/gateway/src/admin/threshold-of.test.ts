import { parseConfig } from "@longhaul/settings";
import { expect, it } from "vitest";
import { thresholdOf } from "./threshold-of.ts";

it.each([
  [{ threshold: 30 }, { threshold: 60 }, { percent: 30, from: "profile" }],
  [{ threshold: -1 }, { threshold: 60 }, { percent: 60, from: "global" }],
  [{}, { threshold: 60, strategy: "sandwich" }, { percent: 60, from: "global" }],
  [{ strategy: "sandwich" }, {}, { percent: 70, from: "strategy" }],
  [{}, { strategy: "sandwich" }, { percent: 70, from: "strategy" }],
  [{}, {}, { percent: 100, from: "room" }],
])("of a profile with %j under %j is %j", (own, context, threshold) => {
  const config = parseConfig({ context, profiles: { it: { context: own } } }, {});
  expect(thresholdOf(config.profiles.it ?? {}, config)).toEqual(threshold);
});

import { expect, it } from "vitest";
import { makeWorld } from "../core/world.ts";
import { openSeal } from "./check-items.ts";
import { compactThreshold, isTriggered, makeCompaction, sinceCompaction } from "./compaction.ts";

it("leaves out what the last compaction stands for", () => {
  const [a, b, c] = [{ role: "user" }, { type: "compaction" }, { role: "user", content: "x" }];
  expect(sinceCompaction([a, b, a, b, c])).toEqual([b, c]);
  expect(sinceCompaction([a, c])).toEqual([a, c]);
});

it("reads when to compact", () => {
  expect(
    compactThreshold({ context_management: [{ type: "other" }, { type: "compaction", compact_threshold: 9 }] }),
  ).toBe(9);
  expect(compactThreshold({ context_management: [{ type: "compaction", compact_threshold: null }] })).toBeUndefined();
  expect(compactThreshold({})).toBeUndefined();
  expect([isTriggered([{ type: "compaction_trigger" }]), isTriggered([])]).toEqual([true, false]);
});

it("hides the summary from everybody but the API", () => {
  const world = makeWorld({});
  const item = makeCompaction("cmp_1", "secret words", world);
  expect(JSON.stringify(item)).not.toContain("secret words");
  expect(openSeal(item, "compaction", world)).toEqual({ summary: "secret words" });
});

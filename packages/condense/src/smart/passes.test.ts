import { makeAgentLoop } from "@longhaul/conversation/testing";
import { describe, expect, it } from "vitest";
import { makeTestView } from "../testing/context.ts";
import { smartSchema } from "./config.ts";
import { preludeOf, smartPasses } from "./passes.ts";

const LOOP = makeAgentLoop(20, 400);
const { tokens } = makeTestView(LOOP, 100);
const selection = { type: "preserve_recent", keepRecentCount: 2 };
const keep = { operation: "keep" };
const individual = {
  id: "suppress",
  name: "Suppress",
  mode: "individual",
  selection,
  individualConfig: { defaults: { messageText: keep, toolParameters: keep, toolResults: { operation: "suppress" } } },
};

function passesOf(pass: object, prelude: object = { enabled: false }) {
  return smartPasses(smartSchema.parse({ losslessPrelude: prelude, passes: [pass] }));
}

const applies = (execution: object, budgetTokens: number) =>
  passesOf({ ...individual, execution })[0]?.applies?.(makeTestView(LOOP, budgetTokens));

describe("smartPasses", () => {
  it("puts the prelude around the passes", () => {
    expect(passesOf(individual, {}).map(({ id }) => id)).toEqual(["prelude", "suppress", "references"]);
  });

  it("plans a pass by its mode", () => {
    const view = makeTestView(LOOP, 100);
    const reasons = (pass: object) =>
      new Set(
        passesOf(pass)[0]
          ?.plan(view)
          .map(({ reason }) => reason),
      );
    const batch = { id: "b", name: "B", mode: "batch", selection };
    expect(reasons(individual)).toEqual(new Set(["suppress"]));
    expect(reasons({ ...batch, batchConfig: { operation: "summarize" } })).toEqual(new Set(["summarize"]));
    expect(reasons({ ...batch, batchConfig: { operation: "keep" } })).toEqual(new Set());
    expect(reasons({ id: "c", name: "C", mode: "cover" })).toEqual(new Set(["drop"]));
  });

  it("runs a pass only while the target is not reached", () => {
    expect([applies({ type: "always" }, 100), applies({ type: "always" }, 2 * tokens)]).toEqual([true, false]);
  });

  it.each([
    ["under the threshold", { tokenThreshold: tokens }, false],
    ["over the threshold", { tokenThreshold: tokens - 1 }, true],
    ["over the share of the window", { windowPercent: 100 }, true],
    ["over one of two", { tokenThreshold: tokens, windowPercent: 100 }, false],
  ])("asks a conditional pass whether it is due: %s", (_, condition, isDue) => {
    expect(applies({ type: "conditional", condition }, 100)).toBe(isDue);
  });

  it("refuses a condition that says nothing", () => {
    expect(() => passesOf({ ...individual, execution: { type: "conditional", condition: {} } })).toThrow(
      /name tokenThreshold/,
    );
  });
});

const ids = (
  enabled: boolean,
  deduplicateFileReads: boolean,
  consolidateToolResults: boolean,
  removeObsoleteState: boolean,
) => {
  const { before, after } = preludeOf({
    enabled,
    operations: { deduplicateFileReads, consolidateToolResults, removeObsoleteState },
  });
  const spell = ({ id, isTrial }: { id: string; isTrial?: boolean }) => (isTrial === true ? `${id}?` : id);
  return [before.map(spell), after.map(spell)];
};

describe("preludeOf", () => {
  it("tries references first and makes them last", () => {
    expect(ids(true, true, true, false)).toEqual([["prelude?"], ["references"]]);
  });

  it("takes what is obsolete away for good, before anything points to it", () => {
    expect(ids(true, true, true, true)).toEqual([["obsolete-state", "prelude?"], ["references"]]);
  });

  it("only consolidates where reads stay as they are", () => {
    expect(ids(true, false, true, false)).toEqual([["prelude?"], ["consolidate"]]);
  });

  it("has nothing to do where all switches are off", () => {
    expect(ids(true, false, false, false)).toEqual([[], []]);
    expect(ids(false, true, true, true)).toEqual([[], []]);
  });
});

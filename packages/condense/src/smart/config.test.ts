import { describe, expect, it } from "vitest";
import { DEFAULT_PASSES, passSchema, smartSchema } from "./config.ts";

const batch = {
  id: "summarize",
  name: "Summarize",
  mode: "batch",
  selection: { type: "preserve_recent" },
  batchConfig: { operation: "summarize" },
};

describe("passSchema", () => {
  it("fills in defaults for shares, batch summaries and execution", () => {
    expect(passSchema.parse(batch)).toEqual({
      ...batch,
      selection: { type: "preserve_recent", keepRecentCount: 10 },
      batchConfig: {
        operation: "summarize",
        summarizationConfig: { profile: "", prompt: "", maxTokens: 4_000, keepFirst: 1, keepLast: 0 },
      },
      execution: { type: "always" },
    });
  });

  it.each([
    ["an id with blanks", { ...batch, id: "my pass" }, "id"],
    ["an unknown mode", { ...batch, mode: "stream" }, "mode"],
    [
      "a share over 100 percent",
      { ...batch, selection: { type: "preserve_percent", keepPercentage: 101 } },
      "selection.keepPercentage",
    ],
    ["settings of another selection", { ...batch, selection: { type: "preserve_recent", minAge: 3 } }, "selection"],
    ["the settings of another mode", { ...batch, individualConfig: {} }, ""],
    [
      "a condition without a threshold",
      { ...batch, execution: { type: "conditional", condition: {} } },
      "execution.condition",
    ],
  ])("rejects %s", (_, pass, path) => {
    expect(passSchema.safeParse(pass).error?.issues.map((issue) => issue.path.join("."))).toEqual([path]);
  });
});

describe("smartSchema", () => {
  it("fills in all defaults", () => {
    expect(smartSchema.parse({})).toEqual({
      losslessPrelude: {
        enabled: true,
        operations: { deduplicateFileReads: true, consolidateToolResults: true, removeObsoleteState: false },
      },
      preserveUserMessages: true,
      passes: DEFAULT_PASSES,
    });
  });

  it("accepts individual options of the prelude", () => {
    const { losslessPrelude } = smartSchema.parse({ losslessPrelude: { operations: { removeObsoleteState: true } } });
    expect(losslessPrelude.operations).toEqual({
      deduplicateFileReads: true,
      consolidateToolResults: true,
      removeObsoleteState: true,
    });
  });

  it("accepts its own default passes", () => {
    expect(smartSchema.parse({ passes: DEFAULT_PASSES }).passes).toEqual(DEFAULT_PASSES);
  });

  it("rejects two passes with the same id", () => {
    const [pass] = DEFAULT_PASSES;
    expect(smartSchema.safeParse({ passes: [pass, pass] }).error?.issues).toMatchObject([
      { path: ["passes"], message: "two passes have the same id" },
    ]);
  });
});

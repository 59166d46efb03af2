import { describe, expect, it } from "vitest";
import { passSchema } from "./pass-schema.ts";

const batch = {
  id: "summarize",
  name: "Summarize",
  mode: "batch",
  selection: { type: "preserve_recent" },
  batchConfig: { operation: "summarize" },
};

describe("passSchema", () => {
  it("fills in how much is kept, how a batch is summarised, and when", () => {
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
    ["a mode that nobody knows", { ...batch, mode: "stream" }, "mode"],
    [
      "a share over everything",
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
  ])("refuses %s", (_, pass, path) => {
    expect(passSchema.safeParse(pass).error?.issues.map((issue) => issue.path.join("."))).toEqual([path]);
  });
});

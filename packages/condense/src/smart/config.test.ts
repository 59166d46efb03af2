import { describe, expect, it } from "vitest";
import { DEFAULT_PASSES, smartSchema } from "./config.ts";

describe("smartSchema", () => {
  it("fills in everything that is left open", () => {
    expect(smartSchema.parse({})).toEqual({
      losslessPrelude: {
        enabled: true,
        operations: { deduplicateFileReads: true, consolidateToolResults: true, removeObsoleteState: false },
      },
      preserveUserMessages: true,
      passes: DEFAULT_PASSES,
    });
  });

  it("takes switches of the prelude one by one", () => {
    const { losslessPrelude } = smartSchema.parse({ losslessPrelude: { operations: { removeObsoleteState: true } } });
    expect(losslessPrelude.operations).toEqual({
      deduplicateFileReads: true,
      consolidateToolResults: true,
      removeObsoleteState: true,
    });
  });

  it("has default passes that it accepts itself", () => {
    expect(smartSchema.parse({ passes: DEFAULT_PASSES }).passes).toEqual(DEFAULT_PASSES);
  });

  it("refuses two passes of one id", () => {
    const [pass] = DEFAULT_PASSES;
    expect(smartSchema.safeParse({ passes: [pass, pass] }).error?.issues).toMatchObject([
      { path: ["passes"], message: "two passes have the same id" },
    ]);
  });
});

import { describe, expect, it } from "vitest";
import type { StandardSchema } from "../contract/standard-schema.ts";
import { parseConfig } from "../contract/strategy.ts";
import { smart } from "../strategies/smart.ts";
import { DEFAULT_PASSES, passSchema, smartSchema } from "./config.ts";
import { readSmartConfig } from "./other-shapes.ts";

function parse<Output>(schema: StandardSchema<Output>, value: unknown): Output {
  return parseConfig({ id: "smart", schema }, value);
}

const batch = {
  id: "summarize",
  name: "Summarize",
  mode: "batch",
  selection: { type: "preserve_recent" },
  batchConfig: { operation: "summarize" },
};

describe("passSchema", () => {
  it("fills in defaults for shares, batch summaries and execution", () => {
    expect(parse(passSchema, batch)).toEqual({
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
    expect(passSchema.check(pass).issues?.map((issue) => issue.path.join("."))).toEqual([path]);
  });
});

describe("smartSchema", () => {
  it("fills in all defaults", () => {
    expect(parse(smartSchema, {})).toEqual({
      losslessPrelude: {
        enabled: true,
        operations: { deduplicateFileReads: true, consolidateToolResults: true, removeObsoleteState: false },
      },
      preserveUserMessages: true,
      passes: DEFAULT_PASSES,
    });
  });

  it("accepts individual options of the prelude", () => {
    const { losslessPrelude } = parse(smartSchema, { losslessPrelude: { operations: { removeObsoleteState: true } } });
    expect(losslessPrelude.operations).toEqual({
      deduplicateFileReads: true,
      consolidateToolResults: true,
      removeObsoleteState: true,
    });
  });

  it("accepts its own default passes", () => {
    expect(parse(smartSchema, { passes: DEFAULT_PASSES }).passes).toEqual(DEFAULT_PASSES);
  });

  it("rejects two passes with the same id", () => {
    const [pass] = DEFAULT_PASSES;
    expect(smartSchema.check({ passes: [pass, pass] }).issues).toMatchObject([
      { path: ["passes"], message: "two passes have the same ID" },
    ]);
  });
});

describe("readSmartConfig", () => {
  const individual = {
    id: "old_results",
    name: "Old results",
    selection: { type: "preserve_recent", keepRecentCount: 5 },
    mode: "individual",
    execution: { type: "always" },
  };

  it("converts names, nested parameters and the settings of summaries", () => {
    const config = {
      passes: [
        {
          ...individual,
          individualConfig: {
            defaults: {
              messageText: "keep",
              toolParameters: { operation: "suppress", params: {} },
              toolResults: { operation: "truncate", params: { truncate: { maxLines: 5, addEllipsis: true } } },
            },
            overrides: [
              {
                messageIndex: 3,
                operations: {
                  toolResults: {
                    operation: "summarize",
                    params: { summarize: { apiProfile: "cheap", maxTokens: 100, customPrompt: "Only names." } },
                  },
                },
              },
            ],
          },
        },
        {
          ...batch,
          batchConfig: {
            operation: "summarize",
            summarizationConfig: { apiProfile: "cheap", customPrompt: "Short.", keepFirst: 1, keepLast: 2 },
          },
        },
      ],
    };
    const summary = { operation: "summarize", profile: "cheap", maxTokens: 100, prompt: "Only names." };
    expect(parse(smartSchema, readSmartConfig(config)).passes).toMatchObject([
      {
        individualConfig: {
          defaults: {
            messageText: { operation: "keep" },
            toolParameters: { operation: "suppress" },
            toolResults: { operation: "truncate", maxLines: 5 },
          },
          overrides: [{ messageIndex: 3, operations: { toolResults: summary } }],
        },
      },
      { batchConfig: { summarizationConfig: { profile: "cheap", prompt: "Short.", keepFirst: 1, keepLast: 2 } } },
    ]);
    expect(smart.passes(config).map(({ id }) => id)).toContain("old_results");
  });

  it.each([
    ["an unknown operation", { messageText: "shrink", toolParameters: "keep", toolResults: "keep" }],
    [
      "unknown parameters",
      { messageText: "keep", toolParameters: "keep", toolResults: { operation: "truncate", params: { maxLines: 5 } } },
    ],
    [
      "a setting under both of its names",
      {
        messageText: { operation: "summarize", profile: "a", apiProfile: "b" },
        toolParameters: "keep",
        toolResults: "keep",
      },
    ],
  ])("leaves %s for the schema to reject", (_, defaults) => {
    expect(() => smart.passes({ passes: [{ ...individual, individualConfig: { defaults } }] })).toThrow(
      "individualConfig.defaults",
    );
  });

  it.each([[undefined], [null], ["text"], [{ passes: 5 }], [{ passes: [null, "x", { individualConfig: 7 }] }]])(
    "returns %j without an error",
    (config) => {
      expect(readSmartConfig(config)).toEqual(config);
    },
  );
});

import { isJsonObject, type JsonValue } from "@longhaul/conversation";
import { describe, expect, it } from "vitest";
import { defineStrategy } from "./contract/strategy.ts";
import { defaultPrompts, describeSettings, guideOf } from "./guides.ts";
import { findStrategy, STRATEGIES } from "./registry.ts";

describe("guideOf", () => {
  it("describes every built-in strategy", () => {
    for (const strategy of STRATEGIES) {
      const { description, loses, chooseFor } = guideOf(strategy);
      expect([strategy.id, [description, loses, chooseFor].includes("")]).toEqual([strategy.id, false]);
    }
  });

  it("prefers the strategy's own guide, and knows nothing of one without", () => {
    const definition = { id: "own", description: "Its own.", passes: () => [] };
    expect(guideOf(defineStrategy(definition))).toEqual({ description: "Its own.", loses: "unknown", chooseFor: "" });
    const guide = { loses: "all", chooseFor: "tests" };
    expect(guideOf(defineStrategy({ ...definition, guide }))).toEqual({ description: "Its own.", ...guide });
  });
});

/** Returns the names of fields and tags without a description. */
function undescribed(schema: JsonValue): string[] {
  if (Array.isArray(schema)) return schema.flatMap(undescribed);
  if (!isJsonObject(schema)) return [];
  const { properties = {}, items = null, oneOf = null } = schema;
  const fields = Object.entries(isJsonObject(properties) ? properties : {});
  const missing = fields.flatMap(([name, field]) => (isJsonObject(field) && field.description ? [] : [name]));
  return [
    ...missing,
    ...fields.flatMap(([, field]) => undescribed(field)),
    ...undescribed(items),
    ...undescribed(oneOf),
  ];
}

describe("describeSettings", () => {
  const settingsOf = (id: string) =>
    JSON.parse(
      JSON.stringify(findStrategy(id).schema["~standard"].jsonSchema?.input({ target: "draft-2020-12" }) ?? {}),
    );

  it("describes every setting and every variant of the built-in strategies", () => {
    for (const { id } of STRATEGIES) expect([id, undescribed(describeSettings(id, settingsOf(id)))]).toEqual([id, []]);
    expect(undescribed(settingsOf("smart"))).toContain("losslessPrelude");
  });

  it("prefers the description of the more precise path", () => {
    expect(describeSettings("sliding-window", settingsOf("sliding-window"))).toMatchObject({
      properties: { keepLast: { description: expect.stringMatching(/^Maximum number of messages to keep/) } },
    });
  });

  it("leaves the schema of another strategy as it is", () => {
    const schema = { type: "object", properties: { profile: { type: "string" } } };
    expect(describeSettings("own", schema)).toBe(schema);
  });
});

describe("defaultPrompts", () => {
  it("returns each prompt once, with the strategies that use it and those whose setting replaces it", () => {
    expect(defaultPrompts().map(({ id, use, strategies }) => ({ id, use, strategies }))).toEqual([
      {
        id: "summary",
        use: "One summary of the older part: native, smart, tree-summary.",
        strategies: ["native", "smart", "tree-summary"],
      },
      { id: "sandwich", use: "The middle of a conversation: sandwich.", strategies: ["sandwich"] },
      { id: "content", use: "One text, such as a tool result: smart.", strategies: [] },
      { id: "merge", use: "Joins adjacent summaries into one: tree-summary.", strategies: [] },
    ]);
  });

  it("lists a strategy's own prompt before a shared one", () => {
    const own = { id: "own", use: "All of it", text: "Tell." };
    const native = findStrategy("native");
    const added = {
      ...native,
      id: "added",
      guide: { ...guideOf(native), prompts: [own, ...(guideOf(native).prompts ?? [])] },
    };
    expect(defaultPrompts([added, native]).map(({ id, strategies }) => [id, strategies])).toEqual([
      ["own", ["added"]],
      ["summary", ["native"]],
    ]);
  });
});

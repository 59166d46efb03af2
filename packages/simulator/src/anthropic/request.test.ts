import { findModel, loadCatalog } from "@longhaul/models/catalog";
import { describe, expect, it } from "vitest";
import {
  canonicalText,
  editsIn,
  hasBeta,
  isThinking,
  locatedBlocks,
  mapBlocks,
  messagesIn,
  mustFitOutput,
  pathOf,
  thinkingType,
  turnsIn,
} from "./request.ts";

const catalog = loadCatalog();
const modelOf = (id: string) => findModel(catalog, id, "anthropic").model;

it("recognizes a beta by the platform's own name", () => {
  const betas = new Set(["compact-2026-01-12"]);
  expect(hasBeta({ model: modelOf("claude-opus-4-6"), betas }, "compaction-threshold")).toBe(true);
  expect(hasBeta({ model: modelOf("claude-opus-4-6"), betas }, "compaction-on-demand")).toBe(false);
  expect(hasBeta({ model: modelOf("claude-opus-4-6"), betas }, "nothing")).toBe(false);
});

it("finds the edits", () => {
  expect(editsIn({ context_management: { edits: [{ type: "a" }] } })).toEqual([{ type: "a" }]);
  expect(editsIn({})).toEqual([]);
});

it("returns the model's default thinking type", () => {
  const typeOf = (id: string, thinking?: object) => thinkingType({ model: modelOf(id), body: { thinking } });
  expect(typeOf("claude-opus-4-6")).toBe("disabled");
  expect(typeOf("claude-opus-5")).toBe("adaptive");
  expect(typeOf("claude-opus-5", { type: "disabled" })).toBe("disabled");
  expect(typeOf("claude-3-haiku")).toBe("disabled");
});

it.each([
  ["claude-3-haiku", true],
  ["claude-3-7-sonnet-20250219", true],
  ["claude-opus-4-1", true],
  ["claude-sonnet-4-20250514", true],
  ["claude-sonnet-4-5", false],
  ["claude-haiku-4-5-20251001", false],
  ["claude-opus-4-6", false],
  ["claude-fable-5-1", false],
])("returns whether input and output of %s must fit together", (id, demands) => {
  expect(mustFitOutput(modelOf(id))).toBe(demands);
});

describe("messages", () => {
  const text = (value: string) => ({ type: "text", text: value });

  it("reads a text as one block", () => {
    expect(messagesIn({ messages: [{ role: "user", content: "a" }] })).toEqual(
      messagesIn({ messages: [{ role: "user", content: [text("a")] }] }),
    );
  });

  it("groups consecutive messages of one role into turns with their positions", () => {
    const messages = messagesIn({
      messages: [
        { role: "user", content: "a" },
        { role: "user", content: [text("b"), text("c")] },
        { role: "assistant", content: "d" },
      ],
    });
    expect(turnsIn(messages).map((turn) => turn.map(pathOf))).toEqual([
      ["messages.0.content.0", "messages.1.content.0", "messages.1.content.1"],
      ["messages.2.content.0"],
    ]);
    expect(locatedBlocks(messages)).toHaveLength(4);
  });

  it("returns the same text for any cache marks and reply fields", () => {
    const cache_control = { type: "ephemeral" };
    expect(canonicalText({ ...text("a"), cache_control, citations: null })).toBe(canonicalText(text("a")));
    expect(canonicalText({ type: "tool_use", id: "1", name: "n", input: {}, caller: {} })).toBe(
      canonicalText({ type: "tool_use", id: "1", name: "n", input: {} }),
    );
    const result = { type: "tool_result", tool_use_id: "1" };
    expect(canonicalText({ ...result, content: [{ ...text("a"), cache_control }], cache_control })).toBe(
      canonicalText({ ...result, content: [text("a")] }),
    );
    expect(canonicalText({ type: "image", source: { a: 1 }, cache_control })).toBe(
      canonicalText({ type: "image", source: { a: 1 } }),
    );
  });

  it("changes and removes blocks", () => {
    const messages = messagesIn({
      messages: [{ role: "user", content: [text("a"), { type: "thinking" }, text("c")] }],
    });
    const changed = mapBlocks(messages, ({ block }) => (isThinking(block) ? undefined : { ...block, text: "x" }));
    expect(changed[0]?.blocks).toEqual([text("x"), text("x")]);
  });
});

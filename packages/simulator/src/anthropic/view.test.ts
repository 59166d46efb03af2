import { describe, expect, it } from "vitest";
import type { JsonObject } from "../core/json.ts";
import { makeWorld } from "../core/world.ts";
import { makeMessagesRequest } from "../testing/make.ts";
import { checkBinding } from "./binding.ts";
import { type Message, messagesIn } from "./request.ts";
import { checkWindow, compactedView, editContext, viewOf, windowOf } from "./view.ts";

const world = makeWorld({ skew: 1 });
const look = (body: JsonObject) => {
  const request = makeMessagesRequest(body, ["compact-2026-01-12", "context-management-2025-06-27"]);
  return viewOf(request, checkBinding(request, world), world);
};
const user = (content: unknown) => ({ role: "user", content });
const long = "word ".repeat(500);

it("counts only what a compaction block keeps", () => {
  const messages = [user(long), { role: "assistant", content: [{ type: "compaction", content: "short" }] }, user("on")];
  expect(look({ messages: [user(long)] }).tokens).toBeGreaterThan(500);
  expect(look({ messages }).tokens).toBeLessThan(20);
});

it("counts the edited prompt, and reports the original size", () => {
  const call = (id: string) => [
    { role: "assistant", content: [{ type: "tool_use", id, name: "read", input: {} }] },
    user([{ type: "tool_result", tool_use_id: id, content: long }]),
  ];
  const messages = [user("go"), ...["a", "b", "c", "d"].flatMap(call)];
  const edits = [{ type: "clear_tool_uses_20250919", trigger: { type: "input_tokens", value: 100 } }];
  const view = look({ messages, context_management: { edits } });
  expect(view.applied).toMatchObject([{ cleared_tool_uses: 1 }]);
  expect(view.originalTokens - view.tokens).toBe(Number(view.applied[0]?.cleared_input_tokens));
});

it("shrinks to system, tools and summary when compacted", () => {
  const view = look({ system: long, messages: [user(long)] });
  const after = compactedView(view, { body: { system: long }, block: { type: "compaction", content: "short" } }, world);
  expect(view.tokens - after.tokens).toBeGreaterThan(400);
  expect(after.tokens).toBeGreaterThan(500);
});

it("uses the longer window with its beta, if allowed", () => {
  const beta = ["context-1m-2025-08-07"];
  expect(windowOf(makeMessagesRequest({ model: "claude-sonnet-4-5" }), world)).toBe(200_000);
  expect(windowOf(makeMessagesRequest({ model: "claude-sonnet-4-5" }, beta), world)).toBe(1_000_000);
  expect(windowOf(makeMessagesRequest({ model: "claude-haiku-4-5" }, beta), world)).toBe(200_000);
  expect(() => windowOf(makeMessagesRequest({}, beta), makeWorld({ hasLongContext: false }))).toThrow(
    "The long context beta is not yet available for this subscription.",
  );
});

it("rejects a prompt over the window", () => {
  expect(() => checkWindow(makeMessagesRequest(), 204_826, 200_000)).toThrow(
    "prompt is too long: 204826 tokens > 200000 maximum",
  );
  expect(() => checkWindow(makeMessagesRequest(), 200_000, 200_000)).not.toThrow();
});

it("requires room for max_tokens only on older models", () => {
  const old = makeMessagesRequest({ model: "claude-opus-4-1", max_tokens: 21_333 });
  expect(() => checkWindow(old, 188_240, 200_000)).toThrow(
    "input length and `max_tokens` exceed context limit: 188240 + 21333 > 200000, decrease input length or `max_tokens` and try again",
  );
  expect(() => checkWindow(makeMessagesRequest({ max_tokens: 21_333 }), 188_240, 200_000)).not.toThrow();
});

/** A loop of calls, each after thinking and with a result of 1,000 characters. */
const messages = messagesIn({
  messages: [
    { role: "user", content: "go" },
    ...["a", "b", "c", "d", "e"].flatMap((id) => [
      {
        role: "assistant",
        content: [
          { type: "thinking", thinking: "t".repeat(100), signature: "s" },
          { type: "tool_use", id, name: id === "a" ? "keep" : "read", input: { path: id } },
        ],
      },
      { role: "user", content: [{ type: "tool_result", tool_use_id: id, content: "r".repeat(1_000) }] },
    ]),
  ],
});
/** One token per character. */
const count = (edited: readonly Message[]) => JSON.stringify(edited).length;
const edit = (...edits: JsonObject[]) => editContext(messages, edits, count);
const resultsOf = (edited: readonly Message[]) =>
  edited.flatMap(({ blocks }) =>
    blocks.filter(({ type }) => type === "tool_result").map(({ content }) => String(content).length < 100),
  );

describe("clear_tool_uses_20250919", () => {
  const type = "clear_tool_uses_20250919";
  const trigger = { type: "input_tokens", value: 1_000 };

  it("keeps the last three and reports the cleared content", () => {
    const { messages: after, applied } = edit({ type, trigger });
    expect(resultsOf(after)).toEqual([true, true, false, false, false]);
    expect(applied).toEqual([{ type, cleared_tool_uses: 2, cleared_input_tokens: count(messages) - count(after) }]);
  });

  it("waits for its trigger", () => {
    expect(edit({ type }).applied).toEqual([]);
    expect(edit({ type, trigger: { type: "tool_uses", value: 5 } }).applied).toEqual([]);
    expect(edit({ type, trigger: { type: "tool_uses", value: 4 } }).applied).toHaveLength(1);
  });

  it("spares excluded tools, keeps another number, and does nothing if it gains too little", () => {
    const keep = { type: "tool_uses", value: 1 };
    expect(resultsOf(edit({ type, trigger, keep, exclude_tools: ["keep"] }).messages)).toEqual([
      false,
      true,
      true,
      true,
      false,
    ]);
    expect(edit({ type, trigger, clear_at_least: { type: "input_tokens", value: 5_000 } }).applied).toEqual([]);
  });

  it("clears arguments if requested", () => {
    const inputs = (after: readonly Message[]) =>
      after.flatMap(({ blocks }) => blocks.filter(({ type: kind }) => kind === "tool_use").map(({ input }) => input));
    expect(inputs(edit({ type, trigger, clear_tool_inputs: true }).messages).slice(0, 3)).toEqual([
      {},
      {},
      { path: "c" },
    ]);
    expect(inputs(edit({ type, trigger, clear_tool_inputs: ["read"] }).messages).slice(0, 2)).toEqual([
      { path: "a" },
      {},
    ]);
  });
});

describe("clear_thinking_20251015", () => {
  const type = "clear_thinking_20251015";
  const thinkingIn = (after: readonly Message[]) => after.filter(({ blocks }) => blocks[0]?.type === "thinking").length;

  it("keeps the last turn's thinking, or more, or all", () => {
    expect(thinkingIn(edit({ type }).messages)).toBe(1);
    expect(thinkingIn(edit({ type, keep: { type: "thinking_turns", value: 3 } }).messages)).toBe(3);
    expect(edit({ type, keep: "all" })).toEqual({ messages, applied: [] });
    expect(edit({ type, keep: { type: "all" } }).applied).toEqual([]);
  });

  it("reports the cleared content", () => {
    const { messages: after, applied } = edit({ type });
    expect(applied).toEqual([
      { type, cleared_thinking_turns: 4, cleared_input_tokens: count(messages) - count(after) },
    ]);
  });
});

it("applies edits in order and ignores others", () => {
  const { applied } = edit(
    { type: "clear_thinking_20251015" },
    { type: "clear_tool_uses_20250919", trigger: { type: "input_tokens", value: 10 } },
    { type: "compact_20260112" },
  );
  expect(applied.map(({ type }) => type)).toEqual(["clear_thinking_20251015", "clear_tool_uses_20250919"]);
});

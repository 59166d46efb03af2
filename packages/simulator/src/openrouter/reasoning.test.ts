import { findModel } from "@longhaul/models/catalog";
import { expect, it } from "vitest";
import type { JsonObject } from "../core/json.ts";
import { makeWorld } from "../core/world.ts";
import { checkDetails, checkReasoning, isReasoning, reasoningDetails } from "./reasoning.ts";

const world = makeWorld({});
const [CLAUDE, GEMINI, GPT, KIMI] = [
  "anthropic/claude-sonnet-4.5",
  "google/gemini-3.5-flash",
  "openai/gpt-5",
  "moonshotai/kimi-k2.6",
] as const;
const modelOf = (id: string) => findModel(world.catalog, id, "openrouter").model;
const thinking = { text: "hm", isRedacted: false, tokens: 4 };

it("requires effort or tokens, not both", () => {
  expect(() => checkReasoning({ reasoning: { effort: "low" } })).not.toThrow();
  expect(() => checkReasoning({ reasoning: { effort: "low", max_tokens: 9 } })).toThrow(
    'Only one of "reasoning.effort" and "reasoning.max_tokens" can be specified',
  );
  expect(() => checkReasoning({ reasoning: {}, reasoning_effort: "low" })).toThrow(/can be specified$/);
});

it.each([
  [{}, false, false],
  [{}, true, true],
  [{ reasoning: { effort: "none" } }, true, false],
  [{ reasoning: { effort: "low" } }, false, true],
  [{ reasoning: { enabled: false } }, true, false],
  [{ reasoning: { max_tokens: 9 } }, false, true],
  [{ reasoning_effort: "high" }, false, true],
])("returns for %j (default: %s) whether to reason", (body, isByDefault, reasons) => {
  expect(isReasoning(body, isByDefault)).toBe(reasons);
});

const detailsOf = (id: string, isRedacted = false) =>
  reasoningDetails({ ...thinking, isRedacted }, { model: modelOf(id), callId: "call_1", world });

/** Sends details back with the call that they led to. */
function sendBack(id: string, details: readonly JsonObject[], body: JsonObject = {}): void {
  const message = { role: "assistant", reasoning_details: details, tool_calls: [{ id: "call_1" }] };
  checkDetails({ messages: [{ role: "user" }, message], ...body }, modelOf(id), world);
}

it.each([
  [CLAUDE, ["reasoning.text"]],
  [GEMINI, ["reasoning.text", "reasoning.encrypted"]],
  [GPT, ["reasoning.summary", "reasoning.encrypted"]],
  [KIMI, ["reasoning.text"]],
])("returns %s's reasoning as %j, and accepts it back", (id, types) => {
  expect(detailsOf(id).map(({ type }) => type)).toEqual(types);
  expect(() => sendBack(id, detailsOf(id))).not.toThrow();
  expect(detailsOf(id, true).map(({ type }) => type)).toEqual(["reasoning.encrypted"]);
});

it.each([CLAUDE, GEMINI, GPT])("rejects changed reasoning of %s, with the provider's message", (id) => {
  const [first = {}, ...rest] = detailsOf(id);
  const changes = [{ text: "other" }, { summary: "other" }, { format: "other" }, { index: 1 }, { id: "other" }];
  for (const change of changes) {
    expect(() => sendBack(id, [{ ...first, ...change }, ...rest])).toThrow(
      expect.objectContaining({
        status: 400,
        message: "Provider returned error",
        details: { type: expect.stringContaining("messages.1.content.0: Invalid `signature` in `thinking` block") },
      }),
    );
  }
});

it("rejects calls without their reasoning if the provider does", () => {
  const refused = { message: "Provider returned error" };
  expect(() => sendBack(GEMINI, [])).toThrow(expect.objectContaining(refused));
  expect(() => sendBack(KIMI, [], { reasoning: { effort: "high" } })).toThrow(expect.objectContaining(refused));
  expect(() => sendBack(KIMI, [], { reasoning: { effort: "none" } })).not.toThrow();
  expect(() => sendBack(CLAUDE, [])).not.toThrow();
});

it("accepts Google's placeholder signature on the first call", () => {
  const placeholder = { type: "reasoning.encrypted", data: "skip_thought_signature_validator", id: "call_1" };
  expect(() => sendBack(GEMINI, [placeholder])).not.toThrow();
  expect(() => sendBack(GEMINI, [{ ...placeholder, id: "call_2" }])).toThrow("Provider returned error");
  expect(() => sendBack(CLAUDE, [placeholder])).toThrow("Provider returned error");
});

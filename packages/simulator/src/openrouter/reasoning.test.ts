import { expect, it } from "vitest";
import { makeWorld } from "../core/make-world.ts";
import { checkDetails, checkReasoning, isReasoning, reasoningDetails } from "./reasoning.ts";

const world = makeWorld({});
const thinking = { text: "hm", isRedacted: false, tokens: 4 };

it("wants effort or tokens, not both", () => {
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
])("knows for %j (by default: %s) whether to reason", (body, isByDefault, reasons) => {
  expect(isReasoning(body, isByDefault)).toBe(reasons);
});

it("takes its own reasoning back, readable or not", () => {
  const details = [reasoningDetails(thinking, world), reasoningDetails({ ...thinking, isRedacted: true }, world)];
  expect(details.map(({ type }) => type)).toEqual(["reasoning.text", "reasoning.encrypted"]);
  expect(() => checkDetails({ messages: [{ role: "assistant", reasoning_details: details }] }, world)).not.toThrow();
});

it("refuses changed reasoning in the provider's words", () => {
  const changed = { ...reasoningDetails(thinking, world), text: "other" };
  expect(() => checkDetails({ messages: [{}, { reasoning_details: [changed] }] }, world)).toThrow(
    expect.objectContaining({
      status: 400,
      message: "Provider returned error",
      details: { type: expect.stringContaining("messages.1.content.0: Invalid `signature` in `thinking` block") },
    }),
  );
});

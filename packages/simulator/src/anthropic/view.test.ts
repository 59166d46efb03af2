import { expect, it } from "vitest";
import type { JsonObject } from "../core/json.ts";
import { makeWorld } from "../core/world.ts";
import { makeMessagesRequest } from "../testing/make.ts";
import { checkBinding } from "./binding.ts";
import { checkWindow, compactedView, viewOf, windowOf } from "./view.ts";

const world = makeWorld({ skew: 1 });
const look = (body: JsonObject) => {
  const request = makeMessagesRequest(body, ["compact-2026-01-12", "context-management-2025-06-27"]);
  return viewOf(request, checkBinding(request, world), world);
};
const user = (content: unknown) => ({ role: "user", content });
const long = "word ".repeat(500);

it("counts only what a compaction block leaves", () => {
  const messages = [user(long), { role: "assistant", content: [{ type: "compaction", content: "short" }] }, user("on")];
  expect(look({ messages: [user(long)] }).tokens).toBeGreaterThan(500);
  expect(look({ messages }).tokens).toBeLessThan(20);
});

it("counts what edits leave, and knows what there was before", () => {
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

it("shrinks to system, tools and summary when it is compacted", () => {
  const view = look({ system: long, messages: [user(long)] });
  const after = compactedView(view, { body: { system: long }, block: { type: "compaction", content: "short" } }, world);
  expect(view.tokens - after.tokens).toBeGreaterThan(400);
  expect(after.tokens).toBeGreaterThan(500);
});

it("knows the longer window behind a beta, and who may use it", () => {
  const beta = ["context-1m-2025-08-07"];
  expect(windowOf(makeMessagesRequest({ model: "claude-sonnet-4-5" }), world)).toBe(200_000);
  expect(windowOf(makeMessagesRequest({ model: "claude-sonnet-4-5" }, beta), world)).toBe(1_000_000);
  expect(windowOf(makeMessagesRequest({ model: "claude-haiku-4-5" }, beta), world)).toBe(200_000);
  expect(() => windowOf(makeMessagesRequest({}, beta), makeWorld({ hasLongContext: false }))).toThrow(
    "The long context beta is not yet available for this subscription.",
  );
});

it("refuses a prompt over the window in the API's words", () => {
  expect(() => checkWindow(makeMessagesRequest(), 204_826, 200_000)).toThrow(
    "prompt is too long: 204826 tokens > 200000 maximum",
  );
  expect(() => checkWindow(makeMessagesRequest(), 200_000, 200_000)).not.toThrow();
});

it("wants room for max_tokens on older models only", () => {
  const old = makeMessagesRequest({ model: "claude-opus-4-1", max_tokens: 21_333 });
  expect(() => checkWindow(old, 188_240, 200_000)).toThrow(
    "input length and `max_tokens` exceed context limit: 188240 + 21333 > 200000, decrease input length or `max_tokens` and try again",
  );
  expect(() => checkWindow(makeMessagesRequest({ max_tokens: 21_333 }), 188_240, 200_000)).not.toThrow();
});

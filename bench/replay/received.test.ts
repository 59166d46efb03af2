import { expect, it } from "vitest";
import { changedAfterPrefix, orphansIn, serialize } from "./received.ts";

it("finds no change if one text begins the next", () => {
  expect(changedAfterPrefix("ab", "abc")).toBe(0);
  expect(changedAfterPrefix("", "abc")).toBe(0);
});

it("counts the bytes from the first difference", () => {
  expect(changedAfterPrefix("abxü", "abcd")).toBe(3);
  expect(changedAfterPrefix("abc", "ab")).toBe(1);
});

it("serializes messages without their cache marks", () => {
  const block = { type: "text", text: "a" };
  const marked = { ...block, cache_control: { type: "ephemeral" } };
  const result = { type: "tool_result", tool_use_id: "1", content: [marked] };
  expect(serialize([{ role: "user", content: [marked, result] }])).toBe(
    serialize([{ role: "user", content: [block, { ...result, content: [block] }] }]),
  );
});

const CALLS = {
  messages: {
    call: { role: "assistant", content: [{ type: "tool_use", id: "1", name: "read", input: {} }] },
    result: { role: "user", content: [{ type: "tool_result", tool_use_id: "1", content: "a" }] },
  },
  chat: {
    call: {
      role: "assistant",
      tool_calls: [{ id: "1", type: "function", function: { name: "read", arguments: "{}" } }],
    },
    result: { role: "tool", tool_call_id: "1", content: "a" },
  },
  responses: {
    call: { type: "function_call", call_id: "1", name: "read", arguments: "{}" },
    result: { type: "function_call_output", call_id: "1", output: "a" },
  },
  gemini: {
    call: { role: "model", parts: [{ functionCall: { name: "read", args: {} } }] },
    result: { role: "user", parts: [{ functionResponse: { name: "read", response: {} } }] },
  },
};

it.each(Object.entries(CALLS))("finds unpaired calls and results in %s", (_, { call, result }) => {
  expect(orphansIn([call, result])).toBe(0);
  expect(orphansIn([call])).toBe(1);
  expect(orphansIn([result])).toBe(1);
});

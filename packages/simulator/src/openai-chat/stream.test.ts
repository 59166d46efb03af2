import { expect, it } from "vitest";
import type { Output } from "../core/limit.ts";
import { eventsOf } from "./stream.ts";

const output: Output = {
  text: "hello",
  calls: [{ id: "s1_x", name: "read", input: { a: 1 } }],
  stop: "calls",
  tokens: 9,
};
const stream = (made: Output, includesUsage = false) =>
  eventsOf(
    { id: "c", model: "gpt-4o", created: 5, output: made, usage: { total_tokens: 3 } },
    { deltaChars: 4, includesUsage },
  ).map(({ data = "" }) => (data === "[DONE]" ? data : JSON.parse(data)));

it("streams role, text, calls with their index, reason, and the end", () => {
  const chunks = stream(output);
  expect(chunks.at(-1)).toBe("[DONE]");
  expect(chunks.slice(0, -1).map(({ choices }) => choices[0].delta)).toEqual([
    { role: "assistant", content: "", refusal: null },
    { content: "hell" },
    { content: "o" },
    { tool_calls: [{ index: 0, id: "call_s1_x", type: "function", function: { name: "read", arguments: "" } }] },
    { tool_calls: [{ index: 0, function: { arguments: '{"a"' } }] },
    { tool_calls: [{ index: 0, function: { arguments: ":1}" } }] },
    {},
  ]);
  expect(chunks.at(-2).choices[0].finish_reason).toBe("tool_calls");
  expect(chunks.slice(0, -2).every(({ choices }) => choices[0].finish_reason === null)).toBe(true);
  expect(chunks[0]).toMatchObject({ id: "c", object: "chat.completion.chunk", created: 5, model: "gpt-4o" });
});

it("brings usage in a last chunk without choices where it is asked for, and says null before", () => {
  const chunks = stream(output, true);
  expect(chunks.at(-2)).toMatchObject({ choices: [], usage: { total_tokens: 3 } });
  expect(chunks[0].usage).toBeNull();
  expect(stream(output)[0]).not.toHaveProperty("usage");
});

it("streams a refusal apart from content", () => {
  const deltas = stream({ ...output, calls: [], stop: "refusal" })
    .slice(0, 2)
    .map(({ choices }) => choices[0].delta);
  expect(deltas).toEqual([{ role: "assistant", content: null, refusal: null }, { refusal: "hell" }]);
});

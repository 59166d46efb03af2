import { expect, it } from "vitest";
import { makeChatRequest } from "../testing/make.ts";
import { promptOf } from "./prompt.ts";

it("shows the model what was said, called and answered", () => {
  const tool_calls = [{ id: "a", type: "function", function: { name: "read", arguments: "{}" } }];
  const request = makeChatRequest({
    tools: [{ type: "function", function: { name: "read", parameters: { type: "object" } } }],
    stop: "END",
    messages: [
      { role: "system", content: "s1" },
      { role: "developer", content: "s2" },
      { role: "user", content: [{ type: "text", text: "go" }] },
      { role: "assistant", content: null, tool_calls },
      { role: "tool", tool_call_id: "a", content: "found" },
      { role: "system", content: "late" },
    ],
  });
  expect(promptOf(request, "openai-chat")).toEqual({
    api: "openai-chat",
    model: "gpt-4o",
    system: "s1\ns2",
    tools: [{ name: "read", schema: { type: "object" } }],
    turns: [
      { role: "user", texts: ["go"], calls: [], results: [] },
      { role: "assistant", texts: ["read{}"], calls: ["a"], results: [] },
      { role: "user", texts: ["found"], calls: [], results: ["a"] },
      { role: "system", texts: ["late"], calls: [], results: [] },
    ],
    thinks: false,
    stopSequences: ["END"],
  });
});

it("reads what has to be called, which form the answer has, and whether the model reasons", () => {
  const prompt = (body: object) => promptOf(makeChatRequest({ ...body }), "openai-chat");
  expect(prompt({ tool_choice: "required" }).mustCall).toBe("any");
  expect(prompt({ tool_choice: { type: "function", function: { name: "read" } } }).mustCall).toBe("read");
  expect(prompt({ tool_choice: "auto" }).mustCall).toBeUndefined();
  expect(prompt({ response_format: { type: "json_schema", json_schema: { schema: { a: 1 } } } }).outputSchema).toEqual({
    a: 1,
  });
  expect(prompt({ response_format: { type: "json_object" } }).outputSchema).toEqual({});
  expect([prompt({ model: "gpt-5" }).thinks, prompt({ model: "gpt-5.4", reasoning_effort: "none" }).thinks]).toEqual([
    true,
    false,
  ]);
  expect(prompt({ stop: ["a", "b"] }).stopSequences).toEqual(["a", "b"]);
});

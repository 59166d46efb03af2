import { expect, it } from "vitest";
import { makeMessagesRequest } from "../testing/make.ts";
import { promptOf } from "./prompt.ts";

it("shows the model what was said, called and answered", () => {
  const prompt = promptOf(
    makeMessagesRequest({
      system: [
        { type: "text", text: "s1" },
        { type: "text", text: "s2" },
      ],
      tools: [{ name: "read", input_schema: { type: "object" } }],
      stop_sequences: ["END"],
      messages: [
        { role: "user", content: "go" },
        {
          role: "assistant",
          content: [
            { type: "thinking", thinking: "hidden", signature: "x" },
            { type: "tool_use", id: "a", name: "read", input: { path: "p" } },
          ],
        },
        {
          role: "user",
          content: [{ type: "tool_result", tool_use_id: "a", content: [{ type: "text", text: "found" }] }],
        },
        { role: "assistant", content: [{ type: "compaction", content: "summary" }] },
      ],
    }),
  );
  expect(prompt).toEqual({
    api: "anthropic",
    model: "claude-opus-4-6",
    system: "s1\ns2",
    tools: [{ name: "read", schema: { type: "object" } }],
    turns: [
      { role: "user", texts: ["go"], calls: [], results: [] },
      { role: "assistant", texts: ['{"path":"p"}'], calls: ["a"], results: [] },
      { role: "user", texts: ["found"], calls: [], results: ["a"] },
      { role: "assistant", texts: ["summary"], calls: [], results: [] },
    ],
    thinks: false,
    stopSequences: ["END"],
  });
});

it("reads what has to be called and which form the answer has", () => {
  const tools = [{ name: "read", input_schema: {} }];
  expect(promptOf(makeMessagesRequest({ tools, tool_choice: { type: "any" } })).mustCall).toBe("any");
  expect(promptOf(makeMessagesRequest({ tools, tool_choice: { type: "tool", name: "read" } })).mustCall).toBe("read");
  const format = { type: "json_schema", schema: { type: "object" } };
  expect(promptOf(makeMessagesRequest({ output_config: { format } })).outputSchema).toEqual({ type: "object" });
  expect(promptOf(makeMessagesRequest({ thinking: { type: "adaptive" } })).thinks).toBe(true);
});

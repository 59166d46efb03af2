import { expect, it } from "vitest";
import { makeWorld } from "../core/world.ts";
import { makeResponsesRequest } from "../testing/make.ts";
import { makeCompaction } from "./compaction.ts";
import { promptOf } from "./prompt.ts";

const world = makeWorld({});

it("shows the model what was said, called and answered", () => {
  const request = makeResponsesRequest({
    instructions: "be kind",
    tools: [{ type: "function", name: "read", parameters: { type: "object" } }, { type: "web_search" }],
  });
  const items = [
    makeCompaction("cmp_1", "summary", world),
    { role: "developer", content: "rules" },
    { role: "user", content: "go" },
    { type: "reasoning", summary: [] },
    { type: "function_call", call_id: "a", name: "read", arguments: "{}" },
    { type: "function_call_output", call_id: "a", output: "found" },
    { role: "assistant", content: [{ type: "output_text", text: "done" }] },
  ];
  expect(promptOf(request, items, world)).toEqual({
    api: "openai-responses",
    model: "gpt-5",
    system: "be kind",
    tools: [{ name: "read", schema: { type: "object" } }],
    turns: [
      { role: "assistant", texts: ["summary"], calls: [], results: [] },
      { role: "system", texts: ["rules"], calls: [], results: [] },
      { role: "user", texts: ["go"], calls: [], results: [] },
      { role: "assistant", texts: ["{}"], calls: ["a"], results: [] },
      { role: "user", texts: ["found"], calls: [], results: ["a"] },
      { role: "assistant", texts: ["done"], calls: [], results: [] },
    ],
    thinks: true,
    stopSequences: [],
  });
});

it("reads the form of the answer, what has to be called, and whether the model reasons", () => {
  const prompt = (body: object) => promptOf(makeResponsesRequest({ ...body }), [], world);
  expect(prompt({ text: { format: { type: "json_schema", schema: { a: 1 } } } }).outputSchema).toEqual({ a: 1 });
  expect(prompt({ text: { format: { type: "json_object" } } }).outputSchema).toEqual({});
  expect(prompt({ tool_choice: "required" }).mustCall).toBe("any");
  expect([prompt({ model: "gpt-4o" }).thinks, prompt({ reasoning: { effort: "none" } }).thinks]).toEqual([
    false,
    false,
  ]);
});

it("shows the model the tools that items bring, and those of a namespace", () => {
  const inner = { type: "function", name: "find", parameters: { type: "object" } };
  const items = [
    { type: "additional_tools", role: "developer", tools: [{ type: "namespace", name: "notes", tools: [inner] }] },
    { role: "user", content: "go" },
  ];
  const { tools, turns } = promptOf(makeResponsesRequest({ tools: [{ type: "custom", name: "patch" }] }), items, world);
  expect(tools).toEqual([
    { name: "patch", schema: {} },
    { name: "find", schema: { type: "object" } },
  ]);
  expect(turns.map(({ role }) => role)).toEqual(["user"]);
});

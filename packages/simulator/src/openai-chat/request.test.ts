import { expect, it } from "vitest";
import { totalOf } from "../core/automatic-caching.ts";
import { makeWorld } from "../core/world.ts";
import { makeChatRequest } from "../testing/make.ts";
import { callsIn, callText, partsIn, piecesOf, promptOf, textsIn } from "./request.ts";

it("reads content as parts and texts", () => {
  expect(partsIn("a")).toEqual([{ type: "text", text: "a" }]);
  const content = [{ type: "text", text: "a" }, { type: "image_url" }, { type: "refusal", refusal: "no" }];
  expect(textsIn(content)).toEqual(["a", "no"]);
  expect(partsIn(null)).toEqual([]);
});

it("reads calls of functions and of custom tools", () => {
  expect(callsIn({ tool_calls: [{ id: "a" }] })).toEqual([{ id: "a" }]);
  expect(callText({ function: { name: "f", arguments: "{}" } })).toBe("f{}");
  expect(callText({ custom: { name: "c", input: "x" } })).toBe("cx");
});

it("builds the prompt from texts, calls and results", () => {
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

it("reads the tool choice, the output format and whether the model reasons", () => {
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

const world = makeWorld({ skew: 1 });
const tokensOf = (content: unknown) => totalOf(piecesOf({ messages: [{ role: "user", content }] }, world).messages);

it("counts texts, images and files", () => {
  expect(tokensOf("one two")).toBe(6);
  expect(tokensOf([{ type: "image_url", image_url: { url: "x".repeat(9_999) } }])).toBe(769);
  expect(tokensOf([{ type: "file", file: {} }])).toBe(3_004);
});

it("counts tools and calls", () => {
  const { tools, messages } = piecesOf(
    {
      tools: [{ type: "function", function: { name: "read" } }],
      messages: [
        { role: "assistant", tool_calls: [{ id: "a", function: { name: "read", arguments: '{"path":"a"}' } }] },
      ],
    },
    world,
  );
  expect(totalOf(tools)).toBeGreaterThan(12);
  expect(totalOf(messages)).toBeGreaterThan(16);
});

it("distinguishes prompts by roles and ids, and finds breakpoints", () => {
  const textOf = (message: object) =>
    piecesOf({ messages: [message] }, world)
      .messages.map(({ text }) => text)
      .join("");
  expect(textOf({ role: "user", content: "a" })).not.toBe(textOf({ role: "system", content: "a" }));
  expect(textOf({ role: "tool", tool_call_id: "1", content: "a" })).not.toBe(
    textOf({ role: "tool", tool_call_id: "2", content: "a" }),
  );
  const content = [
    { type: "text", text: "a", prompt_cache_breakpoint: {} },
    { type: "refusal", refusal: "no" },
  ];
  expect(
    piecesOf({ messages: [{ role: "assistant", content }] }, world).messages.map(({ isBreakpoint }) => isBreakpoint),
  ).toEqual([undefined, true, false]);
});

import { expect, it } from "vitest";
import { totalOf } from "../core/automatic-caching.ts";
import { makeWorld } from "../core/world.ts";
import { piecesOf } from "./caching.ts";

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

it("tells prompts apart by roles and ids, and knows breakpoints", () => {
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

import { expect, it } from "vitest";
import { CACHED, markLast } from "./mark-cache.ts";

it("marks the last block of the last message, and nothing else", () => {
  const first = { role: "user", content: "Hello" };
  const blocks = [
    { type: "text", text: "a" },
    { type: "text", text: "b" },
  ];
  expect(markLast([first, { role: "assistant", content: blocks }])).toEqual([
    first,
    { role: "assistant", content: [blocks[0], { ...blocks[1], cache_control: CACHED }] },
  ]);
});

it("turns words into a block to mark", () => {
  expect(markLast([{ role: "user", content: "Hello" }])).toEqual([
    { role: "user", content: [{ type: "text", text: "Hello", cache_control: CACHED }] },
  ]);
  expect(markLast([])).toEqual([]);
});

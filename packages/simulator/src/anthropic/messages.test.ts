import { expect, it } from "vitest";
import { isThinking, mapBlocks, messagesIn, pathOf, placedBlocks, spellBlock, turnsIn } from "./messages.ts";

const text = (value: string) => ({ type: "text", text: value });

it("reads a text as one block", () => {
  expect(messagesIn({ messages: [{ role: "user", content: "a" }] })).toEqual(
    messagesIn({ messages: [{ role: "user", content: [text("a")] }] }),
  );
});

it("joins consecutive messages of one role into turns and keeps their places", () => {
  const messages = messagesIn({
    messages: [
      { role: "user", content: "a" },
      { role: "user", content: [text("b"), text("c")] },
      { role: "assistant", content: "d" },
    ],
  });
  expect(turnsIn(messages).map((turn) => turn.map(pathOf))).toEqual([
    ["messages.0.content.0", "messages.1.content.0", "messages.1.content.1"],
    ["messages.2.content.0"],
  ]);
  expect(placedBlocks(messages)).toHaveLength(4);
});

it("spells a block the same however it is cached and whatever a reply added", () => {
  const cache_control = { type: "ephemeral" };
  expect(spellBlock({ ...text("a"), cache_control, citations: null })).toBe(spellBlock(text("a")));
  expect(spellBlock({ type: "tool_use", id: "1", name: "n", input: {}, caller: {} })).toBe(
    spellBlock({ type: "tool_use", id: "1", name: "n", input: {} }),
  );
  const result = { type: "tool_result", tool_use_id: "1" };
  expect(spellBlock({ ...result, content: [{ ...text("a"), cache_control }], cache_control })).toBe(
    spellBlock({ ...result, content: [text("a")] }),
  );
  expect(spellBlock({ type: "image", source: { a: 1 }, cache_control })).toBe(
    spellBlock({ type: "image", source: { a: 1 } }),
  );
});

it("changes and takes out blocks", () => {
  const messages = messagesIn({ messages: [{ role: "user", content: [text("a"), { type: "thinking" }, text("c")] }] });
  const changed = mapBlocks(messages, ({ block }) => (isThinking(block) ? undefined : { ...block, text: "x" }));
  expect(changed[0]?.blocks).toEqual([text("x"), text("x")]);
});

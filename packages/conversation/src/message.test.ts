import fc from "fast-check";
import { expect, it } from "vitest";
import { isConversation, textBlock, textMessage } from "./message.ts";
import { anyMessyConversation } from "./testing/index.ts";

it("returns a text block, even for an empty text", () => {
  expect(textBlock("")).toEqual({ type: "text", text: "" });
});

it("returns a message with one text block", () => {
  expect(textMessage("system", "Be brief.")).toEqual({ role: "system", blocks: [{ type: "text", text: "Be brief." }] });
});

it("recognizes every conversation, and none with a broken part", () => {
  fc.assert(fc.property(anyMessyConversation(), (conversation) => isConversation(conversation)));
  const good = { system: [], tools: [{ name: "read", kind: "function" }], messages: [textMessage("user", "Hi.")] };
  expect(isConversation(good)).toBe(true);
  const broken = [null, [], { messages: [] }, { ...good, system: [null] }, { ...good, tools: [{}] }];
  const blocks = [{ type: "text" }, { type: "odd" }, { type: "tool-call", id: "1", name: "read", input: 10n }];
  const messages = blocks.map((block) => ({ ...good, messages: [{ role: "user", blocks: [block] }] }));
  expect([...broken, ...messages].filter(isConversation)).toEqual([]);
});

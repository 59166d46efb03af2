import { textBlock } from "@longhaul/conversation";
import { makeAssistant, makeConversation, makeUser } from "@longhaul/conversation/testing";
import { expect, it } from "vitest";
import { blocksOf } from "./pair.ts";

it("tells where each block stands, the system prompt first", () => {
  const { messages, tools } = makeConversation([makeUser(["a", "b"]), makeAssistant("c")]);
  expect(blocksOf({ system: [textBlock("s")], tools, messages })).toEqual([
    { message: -1, role: "system", block: textBlock("s") },
    { message: 0, role: "user", block: textBlock("a") },
    { message: 0, role: "user", block: textBlock("b") },
    { message: 1, role: "assistant", block: textBlock("c") },
  ]);
});

import {
  makeAssistant,
  makeConversation,
  makeToolCall,
  makeToolResult,
  makeUser,
} from "@longhaul/conversation/testing";
import { expect, it } from "vitest";
import { playable, requestsIn } from "./playable.ts";

const thinking = { type: "thinking", text: "Hm.", signature: "s" } as const;
const conversation = makeConversation([
  makeUser(makeToolResult("lost", "of a call before the log begins")),
  makeUser("Look at a.ts."),
  makeAssistant([thinking, makeToolCall("c1", { name: "read", input: { path: "a.ts" } })]),
  makeUser(makeToolResult("c1", "const a = 1;")),
  makeAssistant([thinking]),
  makeAssistant("Done."),
]);

it("begins with the user's words, without thinking, and with the tools that are called", () => {
  const { messages, tools, system } = playable({ ...conversation, system: [], tools: [] });
  expect(messages.map(({ role, blocks }) => [role, ...blocks.map(({ type }) => type)])).toEqual([
    ["user", "text"],
    ["assistant", "tool-call"],
    ["user", "tool-result"],
    ["assistant", "text"],
  ]);
  expect(tools.map(({ name }) => name)).toEqual(["read"]);
  expect(system).toHaveLength(1);
});

it("keeps the system prompt and the tools that a request has", () => {
  const system = [{ type: "text", text: "Be brief." }] as const;
  expect(playable({ ...conversation, system }).system).toBe(system);
});

it("finds where requests were made", () => {
  expect(requestsIn(playable(conversation))).toEqual([1, 3]);
  expect(requestsIn(playable(makeConversation([makeAssistant("Alone.")])))).toEqual([]);
});

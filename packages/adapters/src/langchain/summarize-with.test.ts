import { AIMessage } from "@langchain/core/messages";
import type { Ask } from "@longhaul/condense";
import { textMessage } from "@longhaul/conversation";
import { expect, it } from "vitest";
import { summarizeWith } from "./summarize-with.ts";

const ASK: Ask = {
  kind: "ask",
  messages: [textMessage("user", "Hello")],
  instructions: "Sum it up.",
  maxTokens: 50,
  expectedTokens: 10,
};

it("asks with the instructions and the messages", async () => {
  const asked: string[] = [];
  const invoke = async (text: string) => {
    asked.push(text);
    return new AIMessage(" They said hello. ");
  };
  expect(await summarizeWith({ invoke })(ASK)).toEqual({ kind: "text", text: "They said hello." });
  expect(asked[0]).toMatch(/Sum it up\..*Hello/s);
});

it("does not take silence for a summary", async () => {
  expect(await summarizeWith({ invoke: async () => new AIMessage("") })(ASK)).toMatchObject({ kind: "failed" });
});

import { AIMessage } from "@langchain/core/messages";
import { expect, it } from "vitest";
import { ASK } from "../testing/edits.ts";
import { summarizeWith } from "./summarize-with.ts";

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

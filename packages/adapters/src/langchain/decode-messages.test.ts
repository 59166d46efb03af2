import { AIMessage, HumanMessage, SystemMessage, ToolMessage } from "@langchain/core/messages";
import { expect, it } from "vitest";
import { decodeMessages, leadingInstructions } from "./decode-messages.ts";

it("reads messages of every kind", () => {
  const { system, messages } = decodeMessages([
    new SystemMessage("Be kind."),
    new HumanMessage("Read a.ts."),
    new AIMessage({
      content: [
        { type: "text", text: "Reading." },
        { type: "tool_use", id: "c1", name: "read", input: { path: "a.ts" } },
      ],
      tool_calls: [{ type: "tool_call", id: "c1", name: "read", args: { path: "a.ts" } }],
    }),
    new ToolMessage({ content: "gone", tool_call_id: "c1", name: "read", status: "error" }),
    new SystemMessage("Be brief."),
  ]);
  expect(system).toEqual([{ type: "text", text: "Be kind." }]);
  expect(messages).toEqual([
    { role: "user", blocks: [{ type: "text", text: "Read a.ts." }] },
    {
      role: "assistant",
      blocks: [
        { type: "text", text: "Reading." },
        { type: "tool-call", id: "c1", name: "read", input: { path: "a.ts" } },
      ],
    },
    {
      role: "user",
      blocks: [
        { type: "tool-result", callId: "c1", name: "read", content: [{ type: "text", text: "gone" }], isError: true },
      ],
    },
    { role: "system", blocks: [{ type: "text", text: "Be brief." }] },
  ]);
});

it("reads reasoning in a result as text", () => {
  const content = [{ type: "reasoning", reasoning: "Hm." }];
  const { messages } = decodeMessages([new ToolMessage({ content, tool_call_id: "c1" })]);
  expect(messages[0]?.blocks[0]).toMatchObject({ content: [{ type: "text", text: "Hm." }] });
});

it("takes instructions alone for nothing else", () => {
  expect(leadingInstructions([new SystemMessage("Be kind.")])).toBe(1);
});

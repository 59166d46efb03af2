import { AIMessage, HumanMessage, SystemMessage, ToolMessage } from "@langchain/core/messages";
import { expect, it } from "vitest";
import { contentParts, decodeContent, decodeMessages, leadingInstructions } from "./decode-messages.ts";

it("decodes messages of every kind", () => {
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

it("decodes reasoning in a result as text", () => {
  const content = [{ type: "reasoning", reasoning: "Hm." }];
  const { messages } = decodeMessages([new ToolMessage({ content, tool_call_id: "c1" })]);
  expect(messages[0]?.blocks[0]).toMatchObject({ content: [{ type: "text", text: "Hm." }] });
});

it("decodes messages that are only instructions", () => {
  expect(leadingInstructions([new SystemMessage("Be kind.")])).toBe(1);
});

const PNG = { kind: "base64", mediaType: "image/png", data: "AQID" };

it.each([
  ["words", { type: "text", text: "words" }],
  [
    { type: "text", text: "words" },
    { type: "text", text: "words" },
  ],
  [
    { type: "thinking", thinking: "Hm.", signature: "s" },
    { type: "thinking", text: "Hm.", signature: "s" },
  ],
  [
    { type: "reasoning", reasoning: "Hm." },
    { type: "thinking", text: "Hm." },
  ],
  [
    { type: "image_url", image_url: { url: "data:image/png;base64,AQID" } },
    { type: "image", source: PNG },
  ],
  [
    { type: "image_url", image_url: "DATA:image/png;name=a.png;base64,AQID" },
    { type: "image", source: PNG },
  ],
  [
    { type: "image_url", image_url: "https://example.com/a" },
    { type: "image", source: { kind: "url", url: "https://example.com/a" } },
  ],
  [
    { type: "image", data: "AQID" },
    { type: "image", source: PNG },
  ],
  [
    { type: "image", source: { type: "base64", media_type: "image/png", data: "AQID" } },
    { type: "image", source: PNG },
  ],
])("decodes %j", (part, block) => {
  expect(decodeContent(part)).toEqual(block);
});

it.each([{ type: "input_audio", data: "AQID" }, { type: "image", fileId: "f" }, 3])("keeps %j whole", (part) => {
  expect(decodeContent(part)).toMatchObject({ type: "opaque", native: { wire: "langchain" } });
});

it("drops calls, which messages have elsewhere, and empty parts", () => {
  const text = { type: "text", text: "words" };
  expect(contentParts({ content: [text, { type: "tool_use", id: "c1", name: "read", input: {} }] })).toEqual([text]);
  expect(contentParts({ content: "" })).toEqual([]);
});

import { expect, it } from "vitest";
import { contentParts, decodeContent } from "./decode-content.ts";

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
])("reads %j", (part, block) => {
  expect(decodeContent(part)).toEqual(block);
});

it.each([{ type: "input_audio", data: "AQID" }, { type: "image", fileId: "f" }, 3])("keeps %j whole", (part) => {
  expect(decodeContent(part)).toMatchObject({ type: "opaque", native: { wire: "langchain" } });
});

it("leaves out calls, which messages have elsewhere, and nothing", () => {
  const text = { type: "text", text: "words" };
  expect(contentParts({ content: [text, { type: "tool_use", id: "c1", name: "read", input: {} }] })).toEqual([text]);
  expect(contentParts({ content: "" })).toEqual([]);
});

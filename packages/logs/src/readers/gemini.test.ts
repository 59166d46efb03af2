import { describe, expect, it } from "vitest";
import { parseDocument } from "../reading/document.ts";
import { messageBlocks } from "../testing/script.ts";
import { gemini } from "./gemini.ts";

const BODY = {
  system_instruction: { parts: [{ text: "Be brief." }] },
  tools: [{ functionDeclarations: [{ name: "read" }] }],
  contents: [
    { role: "user", parts: [{ text: "Read a." }] },
    {
      role: "model",
      parts: [{ text: "Fine." }],
      modelVersion: "gemini-3-pro",
      usageMetadata: { promptTokenCount: 50, cachedContentTokenCount: 20, candidatesTokenCount: 3 },
    },
  ],
};

describe("gemini", () => {
  it("reads a request body, and usage beside a reply", () => {
    const reading = gemini.read(parseDocument(JSON.stringify(BODY)))!;
    expect(reading.conversation.system).toMatchObject([{ text: "Be brief." }]);
    expect(reading.conversation.tools).toMatchObject([{ name: "read" }]);
    expect(reading.calls).toEqual([
      {
        model: "gemini-3-pro",
        usage: { inputTokens: 30, cacheReadTokens: 20, cacheWriteTokens: 0, outputTokens: 3 },
        outcome: "finished",
        prompt: { from: 0, to: 1 },
        reply: 1,
      },
    ]);
  });

  it("reads and writes conversations saved by Gemini CLI", () => {
    const document = parseDocument(JSON.stringify({ history: BODY.contents, authType: "key" }));
    const { conversation } = gemini.read(document)!;
    expect(messageBlocks(conversation.messages)).toEqual([
      ["user", "text", "Read a."],
      ["assistant", "text", "Fine."],
    ]);
    expect(
      JSON.parse(gemini.write(document, { ...conversation, messages: conversation.messages.slice(0, 1) })),
    ).toEqual({
      history: BODY.contents.slice(0, 1),
      authType: "key",
    });
  });

  it("ignores entries without parts", () => {
    expect(gemini.read(parseDocument('[{"role":"user"},{}]'))).toBeUndefined();
  });
});

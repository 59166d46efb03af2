import { PIXEL_PNG } from "@longhaul/conversation/testing";
import { describe, expect, it } from "vitest";
import { anthropicMessages } from "../anthropic-messages/index.ts";
import { gemini } from "../gemini/index.ts";

const ANTHROPIC = {
  model: "claude-sonnet-5",
  max_tokens: 9,
  messages: [
    { role: "user", content: "Look." },
    { role: "assistant", content: [{ type: "tool_use", id: "toolu_1", name: "screenshot", input: {} }] },
    {
      role: "user",
      content: [
        {
          type: "tool_result",
          tool_use_id: "toolu_1",
          content: [
            { type: "text", text: "The page:" },
            { type: "image", source: { type: "base64", media_type: "image/png", data: PIXEL_PNG } },
          ],
        },
      ],
    },
  ],
};

const GEMINI = {
  contents: [
    { role: "user", parts: [{ text: "Look." }] },
    { role: "model", parts: [{ functionCall: { id: "toolu_1", name: "screenshot", args: {} } }] },
    {
      role: "user",
      parts: [
        {
          functionResponse: {
            id: "toolu_1",
            name: "screenshot",
            response: { output: "The page:" },
            parts: [{ inlineData: { mimeType: "image/png", data: PIXEL_PNG } }],
          },
        },
      ],
    },
  ],
};

describe("a picture in a tool's result", () => {
  it("goes to Gemini inside the function's response", () => {
    const { body, warnings } = gemini.encodeRequest(anthropicMessages.decodeRequest(ANTHROPIC), {
      model: "gemini-3.5-flash",
    });
    expect(body).toEqual({ ...GEMINI, generationConfig: { maxOutputTokens: 9 } });
    expect(warnings).toEqual([]);
  });

  it("comes from a Gemini client to Claude inside the tool's result", () => {
    const { body } = anthropicMessages.encodeRequest(gemini.decodeRequest(GEMINI, { model: "gemini-3.5-flash" }), {
      model: "claude-sonnet-5",
    });
    expect(body.messages).toEqual([
      { role: "user", content: [{ type: "text", text: "Look." }] },
      ...ANTHROPIC.messages.slice(1),
    ]);
  });
});

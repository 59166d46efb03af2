import { PIXEL_PNG } from "@longhaul/conversation/testing";
import { describe, expect, it } from "vitest";
import { anthropicMessages } from "../anthropic-messages/index.ts";
import { codecOf } from "../codecs.ts";
import { gemini } from "../gemini/index.ts";

const REQUEST = codecOf("anthropic-messages").decodeRequest({
  model: "m",
  max_tokens: 9,
  messages: [
    { role: "user", content: "Look." },
    { role: "assistant", content: [{ type: "tool_use", id: "a", name: "screenshot", input: {} }] },
    {
      role: "user",
      content: [
        {
          type: "tool_result",
          tool_use_id: "a",
          content: [
            { type: "text", text: "The screen:" },
            { type: "image", source: { type: "base64", media_type: "image/png", data: PIXEL_PNG } },
          ],
        },
      ],
    },
  ],
});
const URL = `data:image/png;base64,${PIXEL_PNG}`;

// Images were dropped, or sent as megabytes of base64 text, on their way to another format.
describe("an image in a tool result", () => {
  it("follows the result in a user message for chat completions", () => {
    expect(codecOf("openai-chat").encodeRequest(REQUEST, { model: "m" }).body.messages).toMatchObject([
      { role: "user" },
      { role: "assistant" },
      { role: "tool", tool_call_id: "a", content: "The screen:" },
      { role: "user", content: [{ type: "text" }, { type: "image_url", image_url: { url: URL } }] },
    ]);
  });

  it("is part of the output for Responses", () => {
    expect(codecOf("openai-responses").encodeRequest(REQUEST, { model: "m" }).body.input).toMatchObject([
      { role: "user" },
      { type: "function_call" },
      {
        type: "function_call_output",
        output: [
          { type: "input_text", text: "The screen:" },
          { type: "input_image", image_url: URL },
        ],
      },
    ]);
  });

  it("is part of the response for Gemini", () => {
    expect(codecOf("gemini").encodeRequest(REQUEST, { model: "m" }).body.contents).toMatchObject([
      { role: "user" },
      { role: "model" },
      {
        parts: [
          {
            functionResponse: {
              name: "screenshot",
              response: { output: "The screen:" },
              parts: [{ inlineData: { mimeType: "image/png", data: PIXEL_PNG } }],
            },
          },
        ],
      },
    ]);
  });
});

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

describe("an image in a tool result for Gemini", () => {
  it("is sent inside the function's response", () => {
    const { body, warnings } = gemini.encodeRequest(anthropicMessages.decodeRequest(ANTHROPIC), {
      model: "gemini-3.5-flash",
    });
    expect(body).toEqual({ ...GEMINI, generationConfig: { maxOutputTokens: 9 } });
    expect(warnings).toEqual([]);
  });

  it("is sent from a Gemini client to Claude inside the tool result", () => {
    const { body } = anthropicMessages.encodeRequest(gemini.decodeRequest(GEMINI, { model: "gemini-3.5-flash" }), {
      model: "claude-sonnet-5",
    });
    expect(body.messages).toEqual([
      { role: "user", content: [{ type: "text", text: "Look." }] },
      ...ANTHROPIC.messages.slice(1),
    ]);
  });
});

import { PIXEL_PNG } from "@longhaul/conversation/testing";
import { describe, expect, it } from "vitest";
import { codecOf } from "../codecs.ts";

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

// Pictures that were dropped, or sent as megabytes of base64 text, on their way to another format.
describe("a picture in a tool's result", () => {
  it("follows the result in a message of the user's for chat completions", () => {
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

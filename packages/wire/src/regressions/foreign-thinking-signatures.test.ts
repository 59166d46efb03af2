import { describe, expect, it } from "vitest";
import { codecOf } from "../codecs.ts";

const anthropic = codecOf("anthropic-messages");

// "Invalid `signature` in `thinking` block" after a session switched providers.
const HISTORY = [
  { role: "user", content: "Go." },
  {
    role: "assistant",
    content: [
      { type: "thinking", thinking: "Claude's", signature: "EqQBCkYIBRgCKkA" },
      { type: "thinking", thinking: "unsigned", signature: "" },
      { type: "thinking", thinking: "a GPT's", signature: "longhaul/openai/gAAAAABl" },
      { type: "redacted_thinking", data: "longhaul/google/AAAA" },
      { type: "text", text: "Done." },
    ],
  },
  { role: "user", content: "Next." },
];

describe("thinking that another vendor signed, or that is unsigned,", () => {
  it("is not sent to Anthropic, while Claude's own is sent unchanged", () => {
    const request = anthropic.decodeRequest({ model: "m", max_tokens: 9, messages: HISTORY });
    const { body, warnings } = anthropic.encodeRequest(request, { model: "m" });
    expect(body.messages).toEqual([
      HISTORY[0],
      { role: "assistant", content: [HISTORY[1]?.content[0], { type: "text", text: "Done." }] },
      HISTORY[2],
    ]);
    expect(warnings.map(({ feature, count }) => [feature, count])).toEqual([
      ["block.thinking", 1],
      ["block.thinking", 1],
      ["block.redacted-thinking", 1],
    ]);
  });

  it("returns to its vendor unchanged", () => {
    const responses = codecOf("openai-responses");
    const request = anthropic.decodeRequest({ model: "m", max_tokens: 9, messages: HISTORY });
    const { body } = responses.encodeRequest(request, { model: "gpt-6" });
    expect(body.input).toMatchObject([
      { role: "user" },
      { type: "reasoning", summary: [{ text: "a GPT's" }], encrypted_content: "gAAAAABl" },
      { role: "assistant" },
      { role: "user" },
    ]);
    expect(JSON.stringify(body)).not.toContain("longhaul");
    expect(JSON.stringify(body)).not.toContain("EqQBCkYIBRgCKkA");
  });

  it("is never invented: a message without thinking stays without", () => {
    const chat = codecOf("openai-chat");
    const request = chat.decodeRequest({
      model: "m",
      messages: [
        { role: "user", content: "Go." },
        { role: "assistant", content: "Done.", reasoning_content: "a DeepSeek's" },
        { role: "user", content: "Next." },
      ],
    });
    const { body } = anthropic.encodeRequest(request, { model: "claude" });
    expect(JSON.stringify(body)).not.toMatch(/thinking|signature/);
  });
});

import { describe, expect, it } from "vitest";
import { parseDocument } from "../reading/document.ts";
import { messageBlocks } from "../testing/script.ts";
import { openaiResponses } from "./openai-responses.ts";

const BODY = {
  model: "gpt-5",
  instructions: "Be brief.",
  tools: [{ type: "function", name: "read", parameters: { type: "object" } }],
  input: [
    { role: "developer", content: "Be kind." },
    { role: "user", content: "Read a." },
  ],
  output: [
    { type: "reasoning", id: "rs_1", summary: [] },
    { type: "message", role: "assistant", content: [{ type: "output_text", text: "I read it." }] },
    { type: "function_call", call_id: "c1", name: "read", arguments: '{"path":"a"}' },
  ],
  usage: { input_tokens: 100, input_tokens_details: { cached_tokens: 60 }, output_tokens: 7 },
};

function read(value: unknown) {
  return openaiResponses.read(parseDocument(JSON.stringify(value)));
}

describe("openaiResponses", () => {
  it("reads a request together with its reply", () => {
    const reading = read(BODY)!;
    expect(reading.conversation.system).toMatchObject([{ text: "Be brief." }, { text: "Be kind." }]);
    expect(reading.conversation.tools).toMatchObject([{ name: "read" }]);
    expect(messageBlocks(reading.conversation.messages)).toEqual([
      ["user", "text", "Read a."],
      ["assistant", "thinking"],
      ["assistant", "text", "I read it."],
      ["assistant", "call", "c1", "read", { path: "a" }],
    ]);
    expect(reading.calls).toEqual([
      {
        model: "gpt-5",
        usage: { inputTokens: 40, cacheReadTokens: 60, cacheWriteTokens: 0, outputTokens: 7 },
        outcome: "finished",
        prompt: { from: 0, to: 1 },
        reply: 1,
      },
    ]);
  });

  it("writes a reply as part of the input", () => {
    const document = parseDocument(JSON.stringify(BODY));
    const { output, usage, ...request } = BODY;
    const written = openaiResponses.write(document, openaiResponses.read(document)!.conversation);
    expect(JSON.parse(written)).toEqual({ ...request, input: [...BODY.input, ...output] });
    expect(usage).toBeDefined();
  });

  it("reads an input that is a string", () => {
    expect(messageBlocks(read({ input: "Hi." })!.conversation.messages)).toEqual([["user", "text", "Hi."]]);
    expect(read({ input: 5 })).toBeUndefined();
  });
});

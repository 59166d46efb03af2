import type { JsonValue } from "@longhaul/conversation";
import { describe, expect, it } from "vitest";
import { CODECS, codecOf } from "../codecs.ts";
import { runStream } from "../testing/stream.ts";

const LEVELS = 30_000;
const TEXT = `${"[".repeat(LEVELS)}${"]".repeat(LEVELS)}`;
const DEEP: JsonValue = JSON.parse(TEXT);

// A few kilobytes of brackets overflow the stack of recursive readers and writers.
describe("a body that is nested too deeply", () => {
  it.each(CODECS)("is rejected by $id at any place", (codec) => {
    for (const body of [
      { [codec.messagesField]: [], extra: DEEP },
      { [codec.messagesField]: [DEEP] },
      { tools: DEEP },
    ]) {
      expect(() => codec.decodeRequest(body, { model: "m" })).toThrow(
        expect.objectContaining({ code: "request.malformed" }),
      );
    }
    expect(() => codec.decodeMessage({ role: "user", content: DEEP, parts: DEEP })).toThrow(
      expect.objectContaining({ code: "request.malformed", message: expect.stringContaining("500 levels") }),
    );
  });

  it.each(CODECS)("is an upstream error in a reply and a stream of $id", (codec) => {
    const reply = { content: DEEP, choices: DEEP, output: DEEP, candidates: DEEP };
    expect(() => codec.decodeReply(reply)).toThrow(expect.objectContaining({ code: "upstream.broken" }));
    const events = runStream(codec.decodeStream, [{ data: `{"type":"x","candidates":${TEXT}}` }]);
    expect(events).toMatchObject([{ type: "error", error: { code: "upstream.broken" } }]);
  });
});

it("keeps arguments that are nested too deeply as text", () => {
  const chat = codecOf("openai-chat");
  const call = { id: "a", type: "function", function: { name: "f", arguments: TEXT } };
  const request = chat.decodeRequest({
    model: "m",
    messages: [{ role: "assistant", content: null, tool_calls: [call] }],
  });
  expect(request.conversation.messages[0]?.blocks[0]).toMatchObject({ input: TEXT, freeText: false });
  for (const codec of CODECS) {
    expect(() => JSON.stringify(codec.encodeRequest(request, { model: "m" }).body)).not.toThrow();
  }
});

import type { JsonObject, JsonValue, StreamEvent } from "@longhaul/conversation/advanced";
import { describe, expect, it } from "vitest";
import type { ReplyContext } from "../codec/stepper.ts";
import { collectReply } from "../reply/collect.ts";
import { runStream } from "../testing/stream.ts";
import { decodeStream } from "./decode-stream.ts";

function chunk(delta: JsonObject, finish_reason: JsonValue = null, fields: JsonObject = {}): JsonObject {
  return { id: "r", model: "m", choices: [{ index: 0, delta, finish_reason }], ...fields };
}

function decode(chunks: readonly (JsonObject | string)[], context?: ReplyContext): StreamEvent[] {
  const events = chunks.map((value) => ({ data: typeof value === "string" ? value : JSON.stringify(value) }));
  return runStream(decodeStream, events, context);
}

const USAGE = { id: "r", model: "m", choices: [], usage: { prompt_tokens: 10, completion_tokens: 2 } };
const COUNTED = { inputTokens: 10, cacheReadTokens: 0, cacheWriteTokens: 0, outputTokens: 2 };

describe("decodeStream", () => {
  it("decodes text, with usage after its end", () => {
    expect(
      decode([chunk({ role: "assistant", content: "" }), chunk({ content: "Hi" }), chunk({}, "stop"), USAGE, "[DONE]"]),
    ).toEqual([
      { type: "reply-start", id: "r", model: "m" },
      { type: "text-start", index: 0 },
      { type: "text-delta", index: 0, text: "Hi" },
      { type: "text-end", index: 0 },
      { type: "reply-end", stopReason: "end", usage: COUNTED },
    ]);
  });

  it("decodes thinking from every server's field and ends it when text or calls start", () => {
    for (const field of ["reasoning_content", "reasoning"]) {
      const reply = collectReply(
        decode([chunk({ [field]: "h" }), chunk({ [field]: "m", content: "Hi" }), chunk({}, "stop"), "[DONE]"]),
      );
      expect(reply.blocks).toEqual([
        { type: "thinking", text: "hm" },
        { type: "text", text: "Hi" },
      ]);
    }
    const called = decode([
      chunk({ reasoning_content: "hm" }),
      chunk({ tool_calls: [{ index: 0, id: "a", function: { name: "f", arguments: "{}" } }] }),
      chunk({}, "tool_calls"),
      "[DONE]",
    ]);
    expect(called.map(({ type }) => type)).toEqual([
      "reply-start",
      "thinking-start",
      "thinking-delta",
      "thinking-end",
      "tool-call-start",
      "tool-call-delta",
      "tool-call-end",
      "reply-end",
    ]);
  });

  it("decodes OpenRouter's details: vendors, signatures, encrypted ones, several in a row", () => {
    const detail = (fields: JsonObject) => chunk({ reasoning: "ignored", reasoning_details: [fields] });
    const format = "anthropic-claude-v1";
    const reply = collectReply(
      decode(
        [
          detail({ type: "reasoning.text", text: "h", format, index: 0 }),
          detail({ type: "reasoning.text", text: "m", format, index: 0 }),
          detail({ type: "reasoning.text", signature: "s", format, index: 0 }),
          detail({ type: "reasoning.encrypted", data: "d", format, index: 1 }),
          detail({ type: "reasoning.summary", summary: "x", index: 2 }),
          chunk({ content: "Hi" }, "stop"),
        ],
        { vendor: "openrouter" },
      ),
    );
    expect(reply.blocks).toMatchObject([
      { type: "thinking", text: "hm", signature: "s", vendor: "anthropic" },
      { type: "redacted-thinking", data: "d", vendor: "anthropic" },
      { type: "thinking", text: "x", vendor: "openrouter" },
      { type: "text", text: "Hi" },
    ]);
    expect(reply.blocks.map(({ native }) => native?.value)).toEqual([
      { type: "reasoning.text", text: "hm", signature: "s", format, index: 0 },
      { type: "reasoning.encrypted", data: "d", format, index: 1 },
      { type: "reasoning.summary", summary: "x", index: 2 },
      undefined,
    ]);
  });

  it("does not repeat the text of a detail that is also in the plain field", () => {
    const detail = { type: "reasoning.text", text: "hm", signature: "s", format: "anthropic-claude-v1", index: 0 };
    const opening = chunk({ reasoning_details: [{ ...detail, text: "", signature: null }] });
    const words = [chunk({ reasoning_content: "h" }), chunk({ reasoning_content: "m" })];
    const ending = [chunk({ reasoning_details: [detail] }), chunk({ content: "Hi" }, "stop")];
    const [signed] = collectReply(decode([opening, ...words, ...ending])).blocks;
    const native = { wire: "openai-chat", value: detail };
    expect(signed).toEqual({ type: "thinking", text: "hm", signature: "s", vendor: "anthropic", native });
    const [unsigned] = collectReply(decode([opening, ...words, chunk({ content: "Hi" }, "stop")])).blocks;
    expect(unsigned).toEqual({ type: "thinking", text: "hm", vendor: "anthropic" });
  });

  it("decodes text after calls, and a finish reason that ignores the calls", () => {
    const reply = collectReply(
      decode([
        chunk({ tool_calls: [{ index: 0, id: "a", function: { name: "f", arguments: "{}" } }] }),
        chunk({ content: "Done" }, "stop"),
        chunk({ content: "." }),
        "[DONE]",
      ]),
    );
    expect(reply.blocks).toMatchObject([
      { type: "tool-call", id: "a" },
      { type: "text", text: "Done." },
    ]);
    expect(reply.stopReason).toBe("tool-calls");
  });

  it("decodes a refusal as text", () => {
    const reply = collectReply(decode([chunk({ refusal: "I " }), chunk({ refusal: "can't." }, "stop"), "[DONE]"]));
    expect(reply).toMatchObject({ blocks: [{ type: "text", text: "I can't." }], stopReason: "refusal" });
  });

  it("needs [DONE] or a finish reason to end", () => {
    expect(decode([chunk({ content: "Hi" }), "[DONE]", chunk({ content: "late" })]).at(-1)).toMatchObject({
      type: "reply-end",
      stopReason: "end",
    });
    expect(decode([chunk({ content: "Hi" }, "length")]).at(-1)).toMatchObject({
      type: "reply-end",
      stopReason: "length",
    });
    expect(decode([chunk({ content: "Hi" })]).at(-1)).toMatchObject({
      type: "error",
      error: { code: "upstream.broken" },
    });
  });

  it("ends with an error inside the stream, or with one for unreadable data", () => {
    const failed = chunk({ content: "" }, "error", { error: { code: 503, message: "Provider overloaded" } });
    expect(decode([chunk({ content: "Hi" }), failed]).at(-1)).toMatchObject({
      type: "error",
      error: { status: 503, message: "Provider overloaded" },
    });
    expect(decode([chunk({}, "error"), "[DONE]"]).at(-1)).toMatchObject({ type: "error" });
    expect(decode(["{oops"])).toMatchObject([{ type: "error", error: { code: "upstream.broken" } }]);
  });
});

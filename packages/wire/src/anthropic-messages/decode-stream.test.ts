import type { JsonObject, StreamEvent } from "@longhaul/conversation/advanced";
import { describe, expect, it } from "vitest";
import { collectReply } from "../reply/collect.ts";
import { runStream } from "../testing/stream.ts";
import { decodeStream } from "./decode-stream.ts";

const WIRE = "anthropic-messages";

function decode(...events: readonly JsonObject[]): StreamEvent[] {
  return runStream(
    decodeStream,
    events.map((event) => ({ event: `${event.type}`, data: JSON.stringify(event) })),
  );
}

const START = {
  type: "message_start",
  message: { id: "msg_1", model: "claude", usage: { input_tokens: 10, output_tokens: 1 } },
};
const END = {
  type: "message_delta",
  delta: { stop_reason: "end_turn", stop_sequence: null },
  usage: { output_tokens: 7 },
};
const STOP = { type: "message_stop" };

function block(index: number, content_block: JsonObject, ...deltas: readonly JsonObject[]): JsonObject[] {
  return [
    { type: "content_block_start", index, content_block },
    ...deltas.map((delta) => ({ type: "content_block_delta", index, delta })),
    { type: "content_block_stop", index },
  ];
}

describe("decodeStream", () => {
  it("decodes text, pings and growing usage", () => {
    const events = decode(
      START,
      ...block(0, { type: "text", text: "" }, { type: "text_delta", text: "Hi" }),
      { type: "ping" },
      END,
      STOP,
      { type: "ping" },
    );
    expect(events).toEqual([
      {
        type: "reply-start",
        id: "msg_1",
        model: "claude",
        usage: { inputTokens: 10, cacheReadTokens: 0, cacheWriteTokens: 0, outputTokens: 1 },
        native: { wire: WIRE, value: START.message },
      },
      { type: "text-start", index: 0 },
      { type: "text-delta", index: 0, text: "Hi" },
      { type: "text-end", index: 0 },
      { type: "ping" },
      {
        type: "reply-end",
        stopReason: "end",
        usage: { inputTokens: 10, cacheReadTokens: 0, cacheWriteTokens: 0, outputTokens: 7 },
        native: { wire: WIRE, value: END },
      },
    ]);
  });

  it("decodes a signature at the end and a call without arguments", () => {
    const reply = collectReply(
      decode(
        START,
        ...block(
          0,
          { type: "thinking", thinking: "", signature: "" },
          { type: "thinking_delta", thinking: "hm", estimated_tokens: 1 },
          { type: "signature_delta", signature: "a" },
          { type: "signature_delta", signature: "b" },
        ),
        ...block(
          1,
          { type: "tool_use", id: "t", name: "now", input: {} },
          { type: "input_json_delta", partial_json: "" },
        ),
        END,
        STOP,
      ),
    );
    expect(reply.blocks).toEqual([
      { type: "thinking", text: "hm", signature: "b", vendor: "anthropic" },
      { type: "tool-call", id: "t", name: "now", input: {} },
    ]);
  });

  it("decodes arguments, text and signatures sent with the start", () => {
    const reply = collectReply(
      decode(
        START,
        ...block(0, { type: "text", text: "Hi" }),
        ...block(1, { type: "thinking", thinking: "hm", signature: "s" }),
        ...block(2, { type: "tool_use", id: "t", name: "n", input: { a: 1 } }),
        END,
        STOP,
      ),
    );
    expect(reply.blocks).toMatchObject([{ text: "Hi" }, { text: "hm", signature: "s" }, { input: { a: 1 } }]);
  });

  it("emits redacted thinking, compactions and server tools as whole blocks", () => {
    const reply = collectReply(
      decode(
        START,
        ...block(0, { type: "redacted_thinking", data: "d" }),
        ...block(
          1,
          { type: "compaction", content: null },
          { type: "compaction_delta", content: "sum", encrypted_content: "e" },
        ),
        ...block(
          2,
          { type: "server_tool_use", id: "s", name: "web_search", input: {} },
          { type: "input_json_delta", partial_json: '{"query"' },
          { type: "input_json_delta", partial_json: ':"q"}' },
        ),
        END,
        STOP,
      ),
    );
    expect(reply.blocks).toMatchObject([
      { type: "redacted-thinking", data: "d" },
      { type: "compaction", text: "sum", encrypted: "e" },
      { type: "opaque", kind: "server_tool_use", native: { value: { input: { query: "q" } } } },
    ]);
  });

  it("keeps events that only this format has", () => {
    const citation = { type: "citations_delta", citation: { type: "page_location" } };
    const events = decode(START, ...block(0, { type: "text", text: "" }, citation), { type: "brand_new" }, END, STOP);
    expect(events.filter(({ type }) => type === "native")).toEqual([
      {
        type: "native",
        index: 0,
        native: { wire: WIRE, value: { type: "content_block_delta", index: 0, delta: citation } },
      },
      { type: "native", native: { wire: WIRE, value: { type: "brand_new" } } },
    ]);
  });

  it("ends open blocks and the reply after a stop reason", () => {
    const [start] = block(0, { type: "text", text: "Hi" });
    expect(decode(START, start ?? {}, END).map(({ type }) => type)).toEqual([
      "reply-start",
      "text-start",
      "text-delta",
      "text-end",
      "reply-end",
    ]);
    expect(decode(START, start ?? {}).at(-1)).toMatchObject({ type: "error", error: { code: "upstream.broken" } });
  });

  it("ends with the upstream's error, or with one for unreadable data", () => {
    const error = { type: "error", error: { type: "overloaded_error", message: "Overloaded" } };
    expect(decode(START, error, END, STOP).at(-1)).toMatchObject({
      type: "error",
      error: { status: 529, message: "Overloaded" },
    });
    const broken = runStream(decodeStream, [{ data: "{oops" }]);
    expect(broken).toMatchObject([{ type: "error", error: { code: "upstream.broken" } }]);
  });

  it("decodes text of blocks that never started, and ignores their arguments and ends", () => {
    const [, delta, stop] = block(5, {}, { type: "text_delta", text: "x" });
    const [, json] = block(6, {}, { type: "input_json_delta", partial_json: "{" });
    const events = decode(START, stop ?? {}, json ?? {}, delta ?? {}, stop ?? {}, END, STOP);
    expect(collectReply(events).blocks).toEqual([{ type: "text", text: "x" }]);
  });

  it("ends an open block before the next one with the same number starts", () => {
    const [start = {}] = block(0, { type: "tool_use", id: "toolu_1", name: "list", input: {} });
    const words = block(0, { type: "text", text: "" }, { type: "text_delta", text: "x" });
    expect(decode(START, start, ...words, END, STOP).map(({ type }) => type)).toEqual([
      ...["reply-start", "tool-call-start", "tool-call-delta", "tool-call-end"],
      ...["text-start", "text-delta", "text-end", "reply-end"],
    ]);
  });

  it("decodes a message that is complete at its start", () => {
    const call = { type: "tool_use", id: "toolu_1", name: "roll", input: { sides: 6 }, caller: { type: "code" } };
    const message = { id: "msg_1", model: "m", content: [call, { type: "text", text: "x" }], stop_reason: "tool_use" };
    const reply = collectReply(decode({ type: "message_start", message }, STOP));
    expect(reply).toMatchObject({
      blocks: [
        { type: "tool-call", id: "toolu_1", name: "roll", input: { sides: 6 } },
        { type: "text", text: "x" },
      ],
      stopReason: "tool-calls",
    });
  });

  it("ignores a repeated start and rejects the start of another message", () => {
    const words = block(0, { type: "text", text: "" }, { type: "text_delta", text: "x" });
    const another = { type: "message_start", message: { id: "msg_other", model: "m" } };
    expect(collectReply(decode(START, START, ...words, END, STOP)).blocks).toMatchObject([{ text: "x" }]);
    expect(decode(START, ...words, another, ...words, END, STOP).at(-1)).toMatchObject({
      type: "error",
      error: { code: "upstream.broken", message: expect.stringContaining("msg_other") },
    });
  });

  it("ends blocks that are still open at the end", () => {
    const start = (text: string) => ({ type: "content_block_start", index: 0, content_block: { type: "text", text } });
    expect(collectReply(decode(START, start("a"), start("b"), END, STOP)).blocks).toMatchObject([
      { text: "a" },
      { text: "b" },
    ]);
  });
});

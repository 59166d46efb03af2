import type { JsonObject, StreamEvent } from "@longhaul/conversation/advanced";
import { describe, expect, it } from "vitest";
import { collectReply } from "../reply/collect.ts";
import { runStream } from "../testing/stream.ts";
import { decodeStream } from "./decode-stream.ts";

function decode(...events: readonly JsonObject[]): StreamEvent[] {
  return runStream(
    decodeStream,
    events.map((event) => ({ event: `${event.type}`, data: JSON.stringify(event) })),
  );
}

const CREATED = { type: "response.created", response: { id: "resp_1", model: "gpt-6", status: "in_progress" } };
const USAGE = { input_tokens: 10, output_tokens: 2 };
const COMPLETED = {
  type: "response.completed",
  response: { id: "resp_1", model: "gpt-6", status: "completed", output: [], usage: USAGE },
};

const added = (output_index: number, item: JsonObject) => ({ type: "response.output_item.added", output_index, item });
const done = (output_index: number, item: JsonObject) => ({ type: "response.output_item.done", output_index, item });

describe("decodeStream", () => {
  it("decodes text", () => {
    const place = { output_index: 0, content_index: 0, item_id: "m" };
    const part = { type: "output_text", text: "Hi", annotations: [] };
    expect(
      decode(
        CREATED,
        { type: "response.in_progress", response: CREATED.response },
        added(0, { type: "message", id: "m", content: [] }),
        { type: "response.content_part.added", ...place, part: { ...part, text: "" } },
        { type: "response.output_text.delta", ...place, delta: "H" },
        { type: "response.output_text.delta", ...place, delta: "i" },
        { type: "response.output_text.done", ...place, text: "Hi" },
        { type: "response.content_part.done", ...place, part },
        done(0, { type: "message", id: "m", content: [part] }),
        COMPLETED,
      ),
    ).toEqual([
      { type: "reply-start", id: "resp_1", model: "gpt-6" },
      { type: "text-start", index: 0 },
      { type: "text-delta", index: 0, text: "H" },
      { type: "text-delta", index: 0, text: "i" },
      { type: "text-end", index: 0 },
      {
        type: "reply-end",
        stopReason: "end",
        usage: { inputTokens: 10, cacheReadTokens: 0, cacheWriteTokens: 0, outputTokens: 2 },
      },
    ]);
  });

  it("decodes encrypted reasoning at the end of its item and separates summary parts", () => {
    const piece = (summary_index: number, delta: string) => ({
      type: "response.reasoning_summary_text.delta",
      output_index: 0,
      summary_index,
      delta,
    });
    const reply = collectReply(
      decode(
        CREATED,
        added(0, { type: "reasoning", id: "rs_1", summary: [], encrypted_content: "incomplete" }),
        { type: "response.reasoning_summary_part.added", output_index: 0, summary_index: 0, part: {} },
        piece(0, "a"),
        piece(0, "b"),
        piece(1, "c"),
        done(0, { type: "reasoning", id: "rs_1", summary: [], encrypted_content: "gAAAA" }),
        COMPLETED,
      ),
    );
    expect(reply.blocks).toEqual([
      { type: "thinking", text: "ab\n\nc", id: "rs_1", vendor: "openai", signature: "gAAAA" },
    ]);
  });

  it("decodes arguments from every place where servers send them", () => {
    const call = { type: "function_call", call_id: "1", name: "f" };
    const delta = { type: "response.function_call_arguments.delta", output_index: 0, delta: "{}" };
    const finished = { ...call, arguments: "{}" };
    const streamed = decode(CREATED, added(0, { ...call, arguments: "" }), delta, done(0, finished), COMPLETED);
    const late = decode(
      CREATED,
      added(0, { ...call, arguments: "" }),
      { type: "response.function_call_arguments.done", output_index: 0, arguments: "{}" },
      done(0, finished),
      COMPLETED,
    );
    const only = decode(CREATED, done(0, finished), COMPLETED);
    expect(late).toEqual(streamed);
    expect(only).toEqual(streamed);
    expect(collectReply(streamed)).toMatchObject({
      blocks: [{ id: "1", name: "f", input: {} }],
      stopReason: "tool-calls",
    });
  });

  it("separates interleaved calls and recognizes free text", () => {
    const reply = collectReply(
      decode(
        CREATED,
        added(0, { type: "function_call", call_id: "1", name: "f", arguments: "" }),
        added(1, { type: "custom_tool_call", call_id: "2", name: "c", input: "" }),
        { type: "response.custom_tool_call_input.delta", output_index: 1, delta: "{free" },
        { type: "response.function_call_arguments.delta", output_index: 0, delta: '{"a":1}' },
        done(1, { type: "custom_tool_call", call_id: "2", name: "c", input: "{free" }),
        done(0, { type: "function_call", call_id: "1", name: "f", arguments: '{"a":1}' }),
        COMPLETED,
      ),
    );
    expect(reply.blocks).toMatchObject([
      { id: "1", input: { a: 1 } },
      { id: "2", input: "{free" },
    ]);
  });

  it("decodes text that a server sends only at the end of a part, an item or the reply", () => {
    const part = { type: "output_text", text: "Hi" };
    const message = { type: "message", content: [part, { type: "refusal", refusal: "no" }] };
    const texts = (...events: readonly JsonObject[]) => collectReply(decode(CREATED, ...events)).blocks;
    expect(texts({ type: "response.content_part.done", output_index: 0, content_index: 0, part }, COMPLETED)).toEqual([
      { type: "text", text: "Hi" },
    ]);
    expect(texts(done(0, message), COMPLETED)).toEqual([
      { type: "text", text: "Hi" },
      { type: "text", text: "no" },
    ]);
    const whole = {
      ...COMPLETED,
      response: {
        ...COMPLETED.response,
        output: [message, { type: "function_call", call_id: "1", name: "f", arguments: "{}" }],
      },
    };
    const reply = collectReply(decode(whole));
    expect(reply).toMatchObject({
      id: "resp_1",
      blocks: [{ text: "Hi" }, { text: "no" }, { id: "1" }],
      stopReason: "refusal",
    });
  });

  it("emits other items as whole blocks and keeps events that only this format has", () => {
    const search = { type: "web_search_call", id: "ws", status: "completed" };
    const annotation = { type: "response.output_text.annotation.added", annotation: {} };
    const events = decode(
      CREATED,
      { type: "response.web_search_call.in_progress", item_id: "ws" },
      { type: "response.web_search_call.searching", item_id: "ws" },
      done(0, search),
      done(1, { type: "compaction", encrypted_content: "e" }),
      annotation,
      COMPLETED,
    );
    expect(events.slice(1, -1)).toMatchObject([
      { type: "native", native: { value: { type: "response.web_search_call.searching" } } },
      { type: "block", index: 0, block: { type: "opaque", kind: "web_search_call" } },
      { type: "block", index: 1, block: { type: "compaction", encrypted: "e" } },
      { type: "native", native: { value: annotation } },
    ]);
  });

  it("ends incomplete replies with the reason and closes open blocks", () => {
    const incomplete = {
      type: "response.incomplete",
      response: { status: "incomplete", incomplete_details: { reason: "max_output_tokens" }, usage: USAGE },
    };
    expect(
      decode(
        CREATED,
        { type: "response.output_text.delta", output_index: 0, content_index: 0, delta: "Hi" },
        incomplete,
      ).slice(-2),
    ).toMatchObject([
      { type: "text-end", index: 0 },
      { type: "reply-end", stopReason: "length" },
    ]);
  });

  it("ends with the error in each of its forms and emits nothing after it", () => {
    const overflow = {
      code: "context_length_exceeded",
      message: "Your input exceeds the context window of this model.",
    };
    const failed = { type: "response.failed", response: { status: "failed", error: overflow } };
    for (const event of [{ type: "error", ...overflow }, { type: "error", error: overflow }, failed]) {
      const events = decode(CREATED, event, failed);
      expect(events.slice(1)).toMatchObject([{ type: "error", error: { code: "request.too-large", overflow: {} } }]);
    }
    expect(runStream(decodeStream, [{ data: "{oops" }])).toMatchObject([
      { type: "error", error: { code: "upstream.broken" } },
    ]);
    expect(runStream(decodeStream, [{ data: JSON.stringify(CREATED) }, { data: "[DONE]" }]).at(-1)).toMatchObject({
      type: "error",
    });
  });
});

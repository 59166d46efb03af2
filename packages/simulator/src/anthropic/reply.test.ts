import { describe, expect, it } from "vitest";
import type { Output } from "../core/compose.ts";
import type { JsonObject } from "../core/json.ts";
import { makeWorld } from "../core/world.ts";
import { makeMessagesRequest } from "../testing/make.ts";
import { contentOf, eventsOf, type FinishedMessage, messageOf, stopReason } from "./reply.ts";

const world = makeWorld({});
const anchor = { head: "f", content: "s", thinking: "" };
const output: Output = { text: "hi", calls: [{ id: "s1_x", name: "read", input: { a: 1 } }], stop: "calls", tokens: 9 };
const thinking = { text: "hm", isRedacted: false, tokens: 2 };
const write = (made: Output, body = {}) => contentOf(made, { request: makeMessagesRequest(body), anchor, world });

it("returns thinking, text and calls in this order", () => {
  expect(write({ ...output, thinking })).toEqual([
    { type: "thinking", thinking: "hm", signature: expect.any(String) },
    { type: "text", text: "hi" },
    { type: "tool_use", id: "toolu_s1_x", name: "read", input: { a: 1 } },
  ]);
});

it("omits the text of thinking if requested, and by default on adaptive models", () => {
  const shown = (body: object) => write({ ...output, thinking }, body)[0]?.thinking;
  expect(shown({ thinking: { type: "adaptive", display: "omitted" } })).toBe("");
  expect(shown({ model: "claude-opus-5" })).toBe("");
  expect(shown({ model: "claude-opus-5", thinking: { type: "adaptive", display: "summarized" } })).toBe("hm");
});

it("hides redacted thinking", () => {
  expect(write({ ...output, thinking: { ...thinking, isRedacted: true } })[0]).toEqual({
    type: "redacted_thinking",
    data: expect.any(String),
  });
});

it("has no text block for an empty text, and no blocks in a refusal", () => {
  expect(write({ ...output, text: "", calls: [] })).toEqual([]);
  expect(write({ ...output, stop: "refusal" })).toEqual([]);
});

it("returns the whole message", () => {
  const finished: FinishedMessage = {
    id: "msg_1",
    model: "m",
    content: [],
    stopReason: stopReason("refusal"),
    stopSequence: null,
    usage: {},
    usageAtStart: {},
    extra: { context_management: {} },
  };
  expect(messageOf(finished)).toEqual({
    id: "msg_1",
    type: "message",
    role: "assistant",
    model: "m",
    content: [],
    stop_reason: "refusal",
    stop_sequence: null,
    stop_details: { type: "refusal", category: null, explanation: null },
    usage: {},
    context_management: {},
  });
  expect(["end", "calls", "length", "window", "sequence"].map((stop) => stopReason(stop as "end"))).toEqual([
    "end_turn",
    "tool_use",
    "max_tokens",
    "model_context_window_exceeded",
    "stop_sequence",
  ]);
});

describe("stream", () => {
  const finished: FinishedMessage = {
    id: "msg_1",
    model: "m",
    content: [],
    stopReason: "end_turn",
    stopSequence: null,
    usage: { input_tokens: 5, output_tokens: 9 },
    usageAtStart: { input_tokens: 50, output_tokens: 9 },
    extra: { context_management: { applied_edits: [] }, input_transformations: [] },
  };
  const stream = (...content: JsonObject[]) =>
    eventsOf({ ...finished, content }, 3).map(({ event, data = "" }) => {
      expect(JSON.parse(data).type).toBe(event);
      return JSON.parse(data);
    });
  const blockEvents = (block: JsonObject) => stream(block).slice(2, -2);

  it("starts with the message and a ping, and ends with stop reason and usage", () => {
    const events = stream();
    expect(events.map(({ type }) => type)).toEqual(["message_start", "ping", "message_delta", "message_stop"]);
    expect(events[0].message).toMatchObject({
      id: "msg_1",
      content: [],
      stop_reason: null,
      usage: { input_tokens: 50, output_tokens: 1 },
      input_transformations: [],
    });
    expect(events[0].message).not.toHaveProperty("context_management");
    expect(events[2]).toEqual({
      type: "message_delta",
      delta: { stop_reason: "end_turn", stop_sequence: null, stop_details: null },
      usage: { input_tokens: 5, output_tokens: 9 },
      context_management: { applied_edits: [] },
    });
  });

  it("streams text in deltas", () => {
    expect(blockEvents({ type: "text", text: "hello" })).toEqual([
      { type: "content_block_start", index: 0, content_block: { type: "text", text: "" } },
      { type: "content_block_delta", index: 0, delta: { type: "text_delta", text: "hel" } },
      { type: "content_block_delta", index: 0, delta: { type: "text_delta", text: "lo" } },
      { type: "content_block_stop", index: 0 },
    ]);
  });

  it("streams thinking, then its signature; only the signature if the text is omitted", () => {
    const deltas = (thinking: string) =>
      blockEvents({ type: "thinking", thinking, signature: "sig" })
        .slice(1, -1)
        .map(({ delta }) => delta);
    expect(deltas("abcd")).toEqual([
      { type: "thinking_delta", thinking: "abc" },
      { type: "thinking_delta", thinking: "d" },
      { type: "signature_delta", signature: "sig" },
    ]);
    expect(deltas("")).toEqual([{ type: "signature_delta", signature: "sig" }]);
  });

  it("streams arguments after an empty delta, and only that for none", () => {
    const deltas = (input: JsonObject) =>
      blockEvents({ type: "tool_use", id: "a", name: "b", input })
        .slice(1, -1)
        .map(({ delta }) => delta.partial_json);
    expect(deltas({ a: 1 })).toEqual(["", '{"a', '":1', "}"]);
    expect(deltas({})).toEqual([""]);
    expect(blockEvents({ type: "tool_use", id: "a", name: "b", input: { a: 1 } })[0].content_block.input).toEqual({});
  });

  it("sends redacted thinking complete", () => {
    expect(blockEvents({ type: "redacted_thinking", data: "d" })).toEqual([
      { type: "content_block_start", index: 0, content_block: { type: "redacted_thinking", data: "d" } },
      { type: "content_block_stop", index: 0 },
    ]);
  });

  it("sends a threshold compaction block in one delta, and an on-demand one complete", () => {
    const made = { type: "compaction", content: "s", encrypted_content: "e" };
    expect(blockEvents(made).slice(0, 2)).toEqual([
      {
        type: "content_block_start",
        index: 0,
        content_block: { type: "compaction", content: null, encrypted_content: null },
      },
      {
        type: "content_block_delta",
        index: 0,
        delta: { type: "compaction_delta", content: "s", encrypted_content: "e" },
      },
    ]);
    const onDemand = { ...made, encrypted_content: null, signature: "x", tool_changes: [] };
    expect(blockEvents(onDemand)).toEqual([
      { type: "content_block_start", index: 0, content_block: onDemand },
      { type: "content_block_stop", index: 0 },
    ]);
  });

  it("numbers blocks", () => {
    const indexes = stream({ type: "text", text: "a" }, { type: "text", text: "b" }).map(({ index }) => index);
    expect(indexes).toEqual([undefined, undefined, 0, 0, 0, 1, 1, 1, undefined, undefined]);
  });
});

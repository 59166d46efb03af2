import { expect, it } from "vitest";
import type { JsonObject } from "../core/json.ts";
import type { FinishedMessage } from "./reply.ts";
import { eventsOf } from "./stream.ts";

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

it("begins with the message and a ping and ends with reason and usage", () => {
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

it("streams text in pieces", () => {
  expect(blockEvents({ type: "text", text: "hello" })).toEqual([
    { type: "content_block_start", index: 0, content_block: { type: "text", text: "" } },
    { type: "content_block_delta", index: 0, delta: { type: "text_delta", text: "hel" } },
    { type: "content_block_delta", index: 0, delta: { type: "text_delta", text: "lo" } },
    { type: "content_block_stop", index: 0 },
  ]);
});

it("streams thinking and then its signature, alone where the text is left out", () => {
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

it("streams arguments after an empty piece, and only that for none", () => {
  const deltas = (input: JsonObject) =>
    blockEvents({ type: "tool_use", id: "a", name: "b", input })
      .slice(1, -1)
      .map(({ delta }) => delta.partial_json);
  expect(deltas({ a: 1 })).toEqual(["", '{"a', '":1', "}"]);
  expect(deltas({})).toEqual([""]);
  expect(blockEvents({ type: "tool_use", id: "a", name: "b", input: { a: 1 } })[0].content_block.input).toEqual({});
});

it("sends hidden thinking whole", () => {
  expect(blockEvents({ type: "redacted_thinking", data: "d" })).toEqual([
    { type: "content_block_start", index: 0, content_block: { type: "redacted_thinking", data: "d" } },
    { type: "content_block_stop", index: 0 },
  ]);
});

it("sends a compaction block of the threshold in one delta and one that was asked for whole", () => {
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
  const asked = { ...made, encrypted_content: null, signature: "x", tool_changes: [] };
  expect(blockEvents(asked)).toEqual([
    { type: "content_block_start", index: 0, content_block: asked },
    { type: "content_block_stop", index: 0 },
  ]);
});

it("counts blocks", () => {
  const indexes = stream({ type: "text", text: "a" }, { type: "text", text: "b" }).map(({ index }) => index);
  expect(indexes).toEqual([undefined, undefined, 0, 0, 0, 1, 1, 1, undefined, undefined]);
});

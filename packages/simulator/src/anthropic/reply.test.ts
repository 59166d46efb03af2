import { expect, it } from "vitest";
import type { Output } from "../core/limit.ts";
import { makeWorld } from "../core/make-world.ts";
import { makeMessagesRequest } from "../testing/make-messages-request.ts";
import { contentOf, type FinishedMessage, messageOf, stopReason } from "./reply.ts";

const world = makeWorld({});
const anchor = { frame: "f", said: "s", thought: "" };
const output: Output = { text: "hi", calls: [{ id: "s1_x", name: "read", input: { a: 1 } }], stop: "calls", tokens: 9 };
const thinking = { text: "hm", isRedacted: false, tokens: 2 };
const write = (made: Output, body = {}) => contentOf(made, { request: makeMessagesRequest(body), anchor, world });

it("writes thinking, text and calls in this order", () => {
  expect(write({ ...output, thinking })).toEqual([
    { type: "thinking", thinking: "hm", signature: expect.any(String) },
    { type: "text", text: "hi" },
    { type: "tool_use", id: "toolu_s1_x", name: "read", input: { a: 1 } },
  ]);
});

it("leaves thinking empty where it is not shown: asked for, or by default on adaptive models", () => {
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

it("has no text where nothing is said, and nothing at all in a refusal", () => {
  expect(write({ ...output, text: "", calls: [] })).toEqual([]);
  expect(write({ ...output, stop: "refusal" })).toEqual([]);
});

it("writes the whole message", () => {
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

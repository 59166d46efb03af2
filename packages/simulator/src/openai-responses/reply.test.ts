import { describe, expect, it } from "vitest";
import { Rejection } from "../core/api.ts";
import type { Output } from "../core/compose.ts";
import type { JsonObject } from "../core/json.ts";
import { makeWorld } from "../core/world.ts";
import { eventsOf, type FinishedResponse, failureEvents, itemsOf, responseOf, usageOf } from "./reply.ts";

const world = makeWorld({});
const output: Output = {
  thinking: { text: "hm", isRedacted: false, tokens: 4 },
  text: "hi",
  calls: [{ id: "s1_x", name: "read", input: { a: 1 } }],
  stop: "calls",
  tokens: 9,
};
const items = (made: Output, body = {}) => itemsOf(made, { body, items: [], mark: "m", world });

it("includes the namespace of the called tool", () => {
  const tools = [{ type: "namespace", name: "files", tools: [{ type: "function", name: "read" }] }];
  expect(items(output, { tools }).at(-1)).toMatchObject({ name: "read", namespace: "files" });
});

it("calls a custom tool with free text", () => {
  const made = (input: object) =>
    items({ ...output, calls: [{ id: "s1_x", name: "patch", input: { ...input } }] }, { tools });
  const tools = [{ type: "custom", name: "patch" }];
  expect(made({ text: "*** Begin" }).at(-1)).toEqual({
    id: "ctc_m0",
    type: "custom_tool_call",
    status: "completed",
    call_id: "call_s1_x",
    name: "patch",
    input: "*** Begin",
  });
  expect(made({ a: "1", b: "2" }).at(-1)).toMatchObject({ input: '{"a":"1","b":"2"}' });
});

it("returns reasoning, message and calls in this order", () => {
  expect(items(output)).toEqual([
    { id: "rs_m", type: "reasoning", summary: [] },
    {
      id: "msg_m",
      type: "message",
      status: "completed",
      role: "assistant",
      content: [{ type: "output_text", text: "hi", annotations: [], logprobs: [] }],
    },
    {
      id: "fc_m0",
      type: "function_call",
      status: "completed",
      arguments: '{"a":1}',
      call_id: "call_s1_x",
      name: "read",
    },
  ]);
});

it("shows and encrypts reasoning if requested", () => {
  const body = { reasoning: { summary: "auto" }, include: ["reasoning.encrypted_content"] };
  expect(items(output, body)[0]).toEqual({
    id: "rs_m",
    type: "reasoning",
    summary: [{ type: "summary_text", text: "hm" }],
    encrypted_content: expect.stringMatching(/^gAAAA/),
  });
});

it("returns refusals, cut messages and empty answers", () => {
  expect(items({ ...output, stop: "refusal", calls: [] })[1]).toMatchObject({
    content: [{ type: "refusal", refusal: "hi" }],
  });
  expect(items({ ...output, stop: "length", calls: [] })[1]).toMatchObject({ status: "incomplete" });
  expect(items({ ...output, text: "" }).map(({ type }) => type)).toEqual(["reasoning", "function_call"]);
  expect(items({ ...output, text: "", calls: [] })[1]).toMatchObject({ content: [{ text: "" }] });
});

it("reports usage with details that are part of the totals", () => {
  expect(usageOf({ total: 100, read: 60, written: 30 }, output)).toEqual({
    input_tokens: 100,
    input_tokens_details: { cached_tokens: 60, cache_write_tokens: 30 },
    output_tokens: 9,
    output_tokens_details: { reasoning_tokens: 4 },
    total_tokens: 109,
  });
});

it("returns the whole response and repeats the request's fields", () => {
  const body = { model: "gpt-5", instructions: "be kind", store: false, reasoning: { effort: "low" } };
  const response = responseOf({
    id: "resp_1",
    created: 5,
    body,
    output: [],
    status: "incomplete",
    usage: null,
    error: null,
  });
  expect(response).toMatchObject({
    id: "resp_1",
    object: "response",
    created_at: 5,
    status: "incomplete",
    incomplete_details: { reason: "max_output_tokens" },
    model: "gpt-5",
    instructions: "be kind",
    store: false,
    reasoning: { effort: "low", summary: null },
    tool_choice: "auto",
    parallel_tool_calls: true,
  });
});

describe("stream", () => {
  const finished: FinishedResponse = {
    id: "resp_1",
    created: 5,
    body: { model: "gpt-5" },
    output: [],
    status: "completed",
    usage: { total_tokens: 3 },
    error: null,
  };
  const parse = (events: ReturnType<typeof eventsOf>) =>
    events.map(({ event, data = "" }, at) => {
      const value = JSON.parse(data);
      expect([value.type, value.sequence_number]).toEqual([event, at]);
      return value;
    });
  const stream = (...output: JsonObject[]) => parse(eventsOf({ ...finished, output }, 3));
  const inner = (item: JsonObject) => stream(item).slice(2, -1);
  const typesOf = (events: readonly { type: string }[]) => events.map(({ type }) => type.replace("response.", ""));

  it("starts in progress and ends with the whole response", () => {
    const events = stream();
    expect(typesOf(events)).toEqual(["created", "in_progress", "completed"]);
    expect(events[0].response).toMatchObject({ status: "in_progress", output: [], usage: null });
    expect(events[2].response).toMatchObject({ status: "completed", usage: { total_tokens: 3 } });
    expect(typesOf(parse(eventsOf({ ...finished, status: "incomplete" }, 3))).at(-1)).toBe("incomplete");
  });

  it("streams a message part by part", () => {
    const part = { type: "output_text", text: "hello", annotations: [] };
    const events = inner({ id: "msg_1", type: "message", status: "completed", role: "assistant", content: [part] });
    expect(typesOf(events)).toEqual([
      "output_item.added",
      "content_part.added",
      "output_text.delta",
      "output_text.delta",
      "output_text.done",
      "content_part.done",
      "output_item.done",
    ]);
    expect(events[0].item).toMatchObject({ status: "in_progress", content: [] });
    expect(events[1]).toMatchObject({ item_id: "msg_1", output_index: 0, content_index: 0, part: { text: "" } });
    expect([events[2].delta, events[3].delta, events[4].text]).toEqual(["hel", "lo", "hello"]);
  });

  it("streams a refusal", () => {
    const part = { type: "refusal", refusal: "no" };
    const events = inner({ id: "msg_1", type: "message", role: "assistant", content: [part] });
    expect(typesOf(events).slice(2, 4)).toEqual(["refusal.delta", "refusal.done"]);
    expect(events[3].refusal).toBe("no");
  });

  it("streams free text", () => {
    const events = inner({ id: "ctc_1", type: "custom_tool_call", call_id: "c", name: "patch", input: "*** A" });
    expect(typesOf(events).slice(1, -1)).toEqual([
      ...Array(2).fill("custom_tool_call_input.delta"),
      "custom_tool_call_input.done",
    ]);
    expect([events[0].item.input, events.at(-2).input]).toEqual(["", "*** A"]);
  });

  it("streams arguments", () => {
    const events = inner({ id: "fc_1", type: "function_call", call_id: "c", name: "read", arguments: '{"a":1}' });
    expect(typesOf(events).slice(1, -1)).toEqual([
      ...Array(3).fill("function_call_arguments.delta"),
      "function_call_arguments.done",
    ]);
    expect([events[0].item.arguments, events.at(-2).arguments]).toEqual(["", '{"a":1}']);
  });

  it("streams reasoning summaries, and encrypted content only at the end", () => {
    const item = {
      id: "rs_1",
      type: "reasoning",
      summary: [{ type: "summary_text", text: "hm so" }],
      encrypted_content: "gAAAAx",
    };
    const events = inner(item);
    expect(typesOf(events)).toEqual([
      "output_item.added",
      "reasoning_summary_part.added",
      "reasoning_summary_text.delta",
      "reasoning_summary_text.delta",
      "reasoning_summary_text.done",
      "reasoning_summary_part.done",
      "output_item.done",
    ]);
    expect([events[0].item.encrypted_content, events.at(-1).item.encrypted_content]).toEqual(["", "gAAAAx"]);
    expect(inner({ id: "rs_1", type: "reasoning", summary: [] })[0].item).not.toHaveProperty("encrypted_content");
  });

  it("streams a compaction, and unknown items complete", () => {
    const events = inner({ id: "cmp_1", type: "compaction", encrypted_content: "gAAAAx" });
    expect(typesOf(events)).toEqual(["output_item.added", "compaction.compacting", "output_item.done"]);
    expect(typesOf(inner({ id: "x", type: "other" }))).toEqual(["output_item.added", "output_item.done"]);
  });

  it("fails with an error, then the failed response", () => {
    const rejection = new Rejection(400, "too long", { code: "context_length_exceeded", param: "input" });
    const events = parse(failureEvents(finished, rejection));
    expect(typesOf(events)).toEqual(["created", "in_progress", "error", "failed"]);
    expect(events[2].error).toEqual({
      type: "invalid_request_error",
      code: "context_length_exceeded",
      message: "too long",
      param: "input",
    });
    expect(events[3].response).toMatchObject({
      status: "failed",
      error: { code: "context_length_exceeded", message: "too long" },
    });
  });
});

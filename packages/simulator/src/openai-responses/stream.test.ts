import { expect, it } from "vitest";
import type { JsonObject } from "../core/json.ts";
import { Rejection } from "../core/rejection.ts";
import type { FinishedResponse } from "./reply.ts";
import { eventsOf, failureEvents } from "./stream.ts";

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

it("begins in progress and ends with the whole response", () => {
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

it("streams summaries of reasoning and shows its encrypted content only at the end", () => {
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

it("streams a compaction, and items that it does not know whole", () => {
  const events = inner({ id: "cmp_1", type: "compaction", encrypted_content: "gAAAAx" });
  expect(typesOf(events)).toEqual(["output_item.added", "compaction.compacting", "output_item.done"]);
  expect(typesOf(inner({ id: "x", type: "other" }))).toEqual(["output_item.added", "output_item.done"]);
});

it("fails with an error and then the failed response", () => {
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

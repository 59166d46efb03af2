import { expect, it } from "vitest";
import type { Output } from "../core/limit.ts";
import { makeWorld } from "../core/make-world.ts";
import { itemsOf, responseOf, usageOf } from "./reply.ts";

const world = makeWorld({});
const output: Output = {
  thinking: { text: "hm", isRedacted: false, tokens: 4 },
  text: "hi",
  calls: [{ id: "s1_x", name: "read", input: { a: 1 } }],
  stop: "calls",
  tokens: 9,
};
const items = (made: Output, body = {}) => itemsOf(made, { body, items: [], mark: "m", world });

it("names the namespace of the tool that is called", () => {
  const tools = [{ type: "namespace", name: "files", tools: [{ type: "function", name: "read" }] }];
  expect(items(output, { tools }).at(-1)).toMatchObject({ name: "read", namespace: "files" });
});

it("calls a tool that takes free text with it", () => {
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

it("writes reasoning, message and calls in this order", () => {
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

it("shows and encrypts reasoning where it is asked for", () => {
  const body = { reasoning: { summary: "auto" }, include: ["reasoning.encrypted_content"] };
  expect(items(output, body)[0]).toEqual({
    id: "rs_m",
    type: "reasoning",
    summary: [{ type: "summary_text", text: "hm" }],
    encrypted_content: expect.stringMatching(/^gAAAA/),
  });
});

it("writes refusals, cut messages and silence", () => {
  expect(items({ ...output, stop: "refusal", calls: [] })[1]).toMatchObject({
    content: [{ type: "refusal", refusal: "hi" }],
  });
  expect(items({ ...output, stop: "length", calls: [] })[1]).toMatchObject({ status: "incomplete" });
  expect(items({ ...output, text: "" }).map(({ type }) => type)).toEqual(["reasoning", "function_call"]);
  expect(items({ ...output, text: "", calls: [] })[1]).toMatchObject({ content: [{ text: "" }] });
});

it("reports usage with details that are part of the sums", () => {
  expect(usageOf({ total: 100, read: 60, written: 30 }, output)).toEqual({
    input_tokens: 100,
    input_tokens_details: { cached_tokens: 60, cache_write_tokens: 30 },
    output_tokens: 9,
    output_tokens_details: { reasoning_tokens: 4 },
    total_tokens: 109,
  });
});

it("writes the whole response and repeats what was asked for", () => {
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

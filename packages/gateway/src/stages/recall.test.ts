import { events, type Handler, json, openUpstream } from "@longhaul/fit/testing";
import { afterEach, describe, expect, it } from "vitest";
import { makeMemory } from "../testing/memory.ts";
import { ask } from "../testing/serve.ts";
import { makeSnapshot } from "../testing/snapshot.ts";

const closers: (() => Promise<void>)[] = [];
afterEach(async () => {
  for (const close of closers.splice(0).reverse()) await close();
});

const chatReply = json({
  id: "the same id each time",
  model: "m",
  choices: [
    {
      message: {
        role: "assistant",
        content: "It is sunny.",
        tool_calls: [{ id: "call_1", type: "function", function: { name: "look", arguments: "{}" } }],
      },
      finish_reason: "tool_calls",
    },
  ],
});

/** A Responses API client on a chat upstream, which stores nothing. */
async function client(handler: Handler = chatReply, file: object = {}) {
  const upstream = await openUpstream(handler);
  const snapshot = makeSnapshot({
    upstreams: { up: { kind: "openai-compatible", baseUrl: `${upstream.url}/v1` } },
    routes: [{ match: "*", upstream: "up" }],
    ...file,
  });
  closers.push(upstream.close, snapshot.close);
  const memory = await makeMemory();
  const send = async (body: object, { key = "k", path = "/v1/responses", id = "lh_1" } = {}) => {
    const answer = await ask(
      snapshot,
      path,
      { model: "m", ...body },
      { memory, id, headers: { authorization: `Bearer ${key}` } },
    );
    return { ...answer, body: answer.text.startsWith("{") ? JSON.parse(answer.text) : undefined };
  };
  const sent = () => JSON.parse(upstream.seen.at(-1)?.body ?? "{}");
  return { send, sent, seen: upstream.seen };
}

const CALL = { id: "call_1", type: "function", function: { name: "look", arguments: "{}" } };

describe("a response that continues an earlier one", () => {
  it("gets the earlier items without the earlier instructions", async () => {
    const { send, sent } = await client();
    const first = await send({ input: "How is the weather?", instructions: "Be brief." });
    expect(first.body).toMatchObject({ id: "resp_1", object: "response", status: "completed" });
    const output = { type: "function_call_output", call_id: "call_1", output: "rain" };
    await send({ previous_response_id: "resp_1", input: [output], instructions: "Be exact." }, { id: "lh_2" });
    expect(sent().messages).toEqual([
      { role: "system", content: "Be exact." },
      { role: "user", content: "How is the weather?" },
      { role: "assistant", content: "It is sunny.", tool_calls: [CALL] },
      { role: "tool", tool_call_id: "call_1", content: "rain" },
    ]);
    expect(sent()).not.toHaveProperty("previous_response_id");
    await send({ previous_response_id: "resp_2", input: "And now?" }, { id: "lh_3" });
    const roles = sent().messages.map(({ role }: { role: string }) => role);
    expect(roles).toEqual(["user", "assistant", "tool", "assistant", "tool", "user"]);
  });

  it("finds a streamed response", async () => {
    const chunk = (delta: object, finish_reason: string | null) =>
      `data: ${JSON.stringify({ id: "c", model: "m", choices: [{ index: 0, delta, finish_reason }] })}\n\n`;
    const { send, sent } = await client(
      events(chunk({ content: "Sunny" }, null), chunk({}, "stop"), "data: [DONE]\n\n"),
    );
    const { text } = await send({ input: "How?", stream: true });
    expect(text).toContain('"id":"resp_1"');
    await send({ previous_response_id: "resp_1", input: "And now?", stream: true }, { id: "lh_2" });
    expect(sent().messages).toEqual([
      { role: "user", content: "How?" },
      { role: "assistant", content: "Sunny" },
      { role: "user", content: "And now?" },
    ]);
  });

  it("finds single items by id and stores them in full", async () => {
    const { send, sent } = await client();
    const { body } = await send({ input: "How?" });
    const [words, call] = body.output;
    const references = [{ type: "item_reference", id: words.id }, { id: call.id }];
    const result = { type: "function_call_output", call_id: "call_1", output: "rain" };
    await send({ input: [{ role: "user", content: "How?" }, ...references, result] }, { id: "lh_2" });
    expect(sent().messages.slice(0, 2)).toEqual([
      { role: "user", content: "How?" },
      { role: "assistant", content: "It is sunny.", tool_calls: [CALL] },
    ]);
    await send({ previous_response_id: "resp_2", input: [] }, { id: "lh_3" });
    expect(sent().messages[1]).toMatchObject({ role: "assistant", content: "It is sunny." });
  });

  it("counts tokens with the earlier items", async () => {
    const { send } = await client();
    await send({ input: "How is the weather?" });
    const path = "/v1/responses/input_tokens";
    const alone = await send({ input: "And now?" }, { path });
    const after = await send({ input: "And now?", previous_response_id: "resp_1" }, { path });
    expect(after.body.input_tokens).toBeGreaterThan(alone.body.input_tokens + 10);
  });
});

describe("a response that is not stored", () => {
  it("is not visible to another client", async () => {
    const { send, seen } = await client();
    await send({ input: "A secret." });
    const answer = await send({ previous_response_id: "resp_1", input: "What?" }, { key: "other", id: "lh_2" });
    expect([answer.status, answer.body]).toEqual([
      400,
      {
        error: {
          message: expect.stringMatching(
            /^Previous response with id 'resp_1' not found\. This gateway .* memory of the process/,
          ),
          type: "invalid_request_error",
          param: "previous_response_id",
          code: "previous_response_not_found",
        },
      },
    ]);
    expect(seen).toHaveLength(1);
  });

  it.each([
    [{ input: [{ type: "item_reference", id: "msg_9" }] }, 404, "Item with id 'msg_9' not found.", "input"],
    [{ input: "x", conversation: { id: "conv_9" } }, 404, "Conversation with id 'conv_9' not found.", "conversation"],
    [{ input: "x", conversation: "conv_9" }, 404, "Conversation with id 'conv_9' not found.", "conversation"],
  ])("is answered for %o with %d", async (body, status, message, param) => {
    const { send } = await client();
    const answer = await send(body);
    expect([answer.status, answer.body.error]).toMatchObject([
      status,
      { message: expect.stringContaining(message), param, type: "invalid_request_error" },
    ]);
  });

  it("includes an answer with store: false", async () => {
    const { send, sent } = await client();
    expect((await send({ input: "x", store: false })).status).toBe(200);
    expect(sent()).not.toHaveProperty("store");
    expect((await send({ previous_response_id: "resp_1", input: "y" })).status).toBe(400);
  });

  it("includes every answer if responses.store is off, with advice in the error", async () => {
    const { send } = await client(chatReply, { responses: { store: "off" } });
    expect((await send({ input: "x" })).status).toBe(200);
    const { status, body } = await send({ previous_response_id: "resp_1", input: "y" });
    expect([status, body.error.message]).toEqual([
      400,
      "this gateway does not store responses; send the whole history in input, with store: false",
    ]);
  });
});

it("passes references to a Responses upstream unchanged", async () => {
  const upstream = await openUpstream(json({ id: "resp_up", output: [], usage: {} }));
  const snapshot = makeSnapshot({
    upstreams: { up: { kind: "openai", baseUrl: `${upstream.url}/v1` } },
    routes: [
      { match: "renamed", upstream: "up", model: "gpt-4o" },
      { match: "*", upstream: "up" },
    ],
  });
  closers.push(upstream.close, snapshot.close);
  const body = { input: [{ type: "item_reference", id: "i" }], previous_response_id: "resp_0", conversation: "conv_1" };
  const { text } = await ask(snapshot, "/v1/responses", { model: "gpt-4o", ...body });
  expect(JSON.parse(text).id).toBe("resp_up");
  await ask(snapshot, "/v1/responses", { model: "renamed", ...body });
  expect(upstream.seen.map((seen) => JSON.parse(seen.body))).toEqual([
    { model: "gpt-4o", ...body },
    { model: "gpt-4o", ...body },
  ]);
});

import { events, type Handler, json, openUpstream } from "@longhaul/fit/testing";
import { afterEach, describe, expect, it } from "vitest";
import { openRecord } from "./request/request-record.ts";
import { ask } from "./testing/serve.ts";
import { makeSnapshot } from "./testing/snapshot.ts";

const closers: (() => Promise<void>)[] = [];
afterEach(async () => {
  for (const close of closers.splice(0).reverse()) await close();
});

async function chatUpstream(...handlers: Handler[]) {
  const upstream = await openUpstream(...handlers);
  const snapshot = makeSnapshot({
    upstreams: { chat: { kind: "openai-compatible", baseUrl: `${upstream.url}/v1`, apiKey: "ours" } },
    routes: [{ match: "claude-*", upstream: "chat", model: "local-model" }],
  });
  closers.push(upstream.close, snapshot.close);
  return { ...upstream, snapshot };
}

const REQUEST = {
  model: "claude-opus-4-6",
  max_tokens: 100,
  system: "Be brief.",
  tools: [
    {
      name: "read",
      description: "Reads a file.",
      input_schema: { type: "object", properties: { path: { type: "string" } } },
    },
  ],
  messages: [
    { role: "user", content: "Read a.ts" },
    { role: "assistant", content: [{ type: "tool_use", id: "toolu_1", name: "read", input: { path: "a.ts" } }] },
    { role: "user", content: [{ type: "tool_result", tool_use_id: "toolu_1", content: "let a = 1;" }] },
  ],
};

describe("a Messages client on a chat upstream", () => {
  it("is translated and gets its answer in its own format", async () => {
    const { seen, snapshot } = await chatUpstream(
      json({
        id: "chatcmpl-1",
        object: "chat.completion",
        created: 1,
        model: "local-model",
        choices: [{ index: 0, message: { role: "assistant", content: "It sets a to 1." }, finish_reason: "stop" }],
        usage: {
          prompt_tokens: 50,
          completion_tokens: 7,
          total_tokens: 57,
          prompt_tokens_details: { cached_tokens: 20 },
        },
      }),
    );
    const { status, text } = await ask(snapshot, "/v1/messages", REQUEST);
    expect(JSON.parse(seen[0]!.body)).toMatchObject({
      model: "local-model",
      max_tokens: 100,
      messages: [
        { role: "system", content: "Be brief." },
        { role: "user", content: "Read a.ts" },
        {
          role: "assistant",
          tool_calls: [{ id: "toolu_1", type: "function", function: { name: "read", arguments: '{"path":"a.ts"}' } }],
        },
        { role: "tool", tool_call_id: "toolu_1", content: "let a = 1;" },
      ],
    });
    expect(seen[0]?.headers.authorization).toBe("Bearer ours");
    expect([status, JSON.parse(text)]).toMatchObject([
      200,
      {
        type: "message",
        role: "assistant",
        content: [{ type: "text", text: "It sets a to 1." }],
        stop_reason: "end_turn",
        usage: { input_tokens: 30, cache_read_input_tokens: 20, output_tokens: 7 },
      },
    ]);
  });

  it("gets a stream in its own format", async () => {
    const chunk = (delta: object, finish: string | null = null) =>
      `data: ${JSON.stringify({ id: "c", object: "chat.completion.chunk", created: 1, model: "m", choices: [{ index: 0, delta, finish_reason: finish }] })}\n\n`;
    const { snapshot } = await chatUpstream(
      events(
        chunk({ role: "assistant", content: "" }),
        chunk({ content: "hö" }),
        chunk({
          tool_calls: [{ index: 0, id: "call_1", type: "function", function: { name: "read", arguments: '{"pa' } }],
        }),
        chunk({ tool_calls: [{ index: 0, function: { arguments: 'th":"b"}' } }] }),
        chunk({}, "tool_calls"),
        "data: [DONE]\n\n",
      ),
    );
    const { headers, text } = await ask(snapshot, "/v1/messages", { ...REQUEST, stream: true });
    expect(headers["content-type"]).toBe("text/event-stream");
    const types = [...text.matchAll(/^event: (\w+)$/gm)].map(([, type]) => type);
    expect(types).toEqual([
      "message_start",
      "content_block_start",
      "content_block_delta",
      "content_block_stop",
      "content_block_start",
      "content_block_delta",
      "content_block_delta",
      "content_block_stop",
      "message_delta",
      "message_stop",
    ]);
    expect(text).toContain('"stop_reason":"tool_use"');
  });

  it("gets an overflow error that it recognizes", async () => {
    const { snapshot } = await chatUpstream(
      json(
        {
          error: {
            message:
              "This model's maximum context length is 128000 tokens. However, your messages resulted in 202868 tokens. Please reduce the length of the messages.",
            type: "invalid_request_error",
            param: "messages",
            code: "context_length_exceeded",
          },
        },
        400,
      ),
    );
    const { status, text } = await ask(snapshot, "/v1/messages", REQUEST);
    expect([status, JSON.parse(text)]).toMatchObject([
      400,
      {
        type: "error",
        error: { type: "invalid_request_error", message: "prompt is too long: 202868 tokens > 128000 maximum" },
      },
    ]);
  });

  it("gets an error for an answer that is not a reply", async () => {
    const { snapshot } = await chatUpstream(json("<html>busy</html>", 200));
    const { status, text } = await ask(snapshot, "/v1/messages", REQUEST);
    expect([status, JSON.parse(text)]).toMatchObject([502, { type: "error", error: { type: "api_error" } }]);
  });
});

it("does not parse a request that needs no change", async () => {
  const upstream = await openUpstream(json('{"content":[],"stop_reason":"end_turn"}'));
  const file = {
    upstreams: { up: { kind: "anthropic", baseUrl: upstream.url } },
    routes: [{ match: "*", upstream: "up" }],
  };
  const snapshot = makeSnapshot(file);
  closers.push(upstream.close, snapshot.close);
  const unreadable = '{"model":"claude-opus-4-6","messages":[{"role":oops}]}';
  expect((await ask(snapshot, "/v1/messages", unreadable)).status).toBe(200);
  expect(upstream.seen[0]?.body).toBe(unreadable);
});

describe("usage in chat streams", () => {
  const message = (usage: object) =>
    `event: message_start\ndata: ${JSON.stringify({ type: "message_start", message: { id: "m", type: "message", role: "assistant", model: "x", content: [], usage } })}\n\n`;
  const claude = events(
    message({ input_tokens: 9, output_tokens: 1 }),
    'event: content_block_start\ndata: {"type":"content_block_start","index":0,"content_block":{"type":"text","text":"hi"}}\n\n',
    'event: content_block_stop\ndata: {"type":"content_block_stop","index":0}\n\n',
    'event: message_delta\ndata: {"type":"message_delta","delta":{"stop_reason":"end_turn"},"usage":{"output_tokens":5}}\n\n',
    'event: message_stop\ndata: {"type":"message_stop"}\n\n',
  );

  async function asked(body: object) {
    const upstream = await openUpstream(claude);
    const file = {
      upstreams: { up: { kind: "anthropic", baseUrl: upstream.url } },
      routes: [{ match: "*", upstream: "up" }],
    };
    const snapshot = makeSnapshot(file);
    closers.push(upstream.close, snapshot.close);
    const record = openRecord("lh_test");
    const messages = [{ role: "user", content: "hi" }];
    const request = { model: "claude-opus-4-6", stream: true, messages, ...body };
    const { text } = await ask(snapshot, "/v1/chat/completions", request, { record });
    return { text, record };
  }

  it("reaches the client that asks for it", async () => {
    const { text, record } = await asked({ stream_options: { include_usage: true } });
    expect(text).toContain('"prompt_tokens":9');
    expect(record.warnings).toEqual([]);
  });

  it("is hidden from a client that does not, and still recorded", async () => {
    const { text, record } = await asked({});
    expect(text).not.toContain("prompt_tokens");
    expect(record.usage?.()).toMatchObject({ inputTokens: 9, outputTokens: 5 });
    expect(record.model).toBe("claude-opus-4-6");
    expect(record.sentTo).toMatchObject({ upstream: "up", model: "claude-opus-4-6" });
  });

  it("is requested if the stream is translated, otherwise left to the client", async () => {
    const reply = { choices: [{ message: { role: "assistant", content: "hi" }, finish_reason: "stop" }] };
    const { snapshot, seen } = await chatUpstream(json(reply));
    const messages = [{ role: "user", content: "hi" }];
    await ask(snapshot, "/v1/messages", { ...REQUEST, stream: true });
    await ask(snapshot, "/v1/chat/completions", { model: "claude-renamed", stream: true, messages });
    expect(seen.map(({ body }) => JSON.parse(body).stream_options)).toEqual([{ include_usage: true }, undefined]);
  });
});

describe("a refusal that quotes our own key", () => {
  it.each(["/v1/chat/completions", "/v1/messages"])("is passed on at %s without it", async (path) => {
    const error = { error: { message: "Incorrect key: very-secret-key", type: "invalid_request_error" } };
    const upstream = await openUpstream(json(error, 401));
    const baseUrl = `${upstream.url}/v1`;
    const snapshot = makeSnapshot({
      upstreams: { up: { kind: "openai-compatible", baseUrl, apiKey: "very-secret-key" } },
      routes: [{ match: "*", upstream: "up" }],
    });
    closers.push(upstream.close, snapshot.close);
    const { status, text } = await ask(snapshot, path, REQUEST);
    expect(status).toBe(401);
    expect(text).toContain("Incorrect key: [redacted]");
  });
});

it("passes on a refusal without the client's own key", async () => {
  const upstream = await openUpstream((seen, response) => {
    json({ error: { message: `no: ${seen.headers.authorization}`, type: "x" } }, 401)(seen, response);
  });
  const snapshot = makeSnapshot({
    upstreams: { up: { kind: "openai-compatible", baseUrl: `${upstream.url}/v1`, maxRetries: 0 } },
    routes: [{ match: "*", upstream: "up" }],
  });
  closers.push(upstream.close, snapshot.close);
  for (const path of ["/v1/chat/completions", "/v1/messages"]) {
    const { text } = await ask(snapshot, path, REQUEST, { headers: { authorization: "Bearer clients-own-key" } });
    expect(text).toContain("no: Bearer [redacted]");
  }
});

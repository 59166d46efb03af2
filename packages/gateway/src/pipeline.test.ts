import { afterEach, describe, expect, it } from "vitest";
import { ask } from "./testing/serve.ts";
import { makeSnapshot } from "./testing/snapshot.ts";
import { events, type Handler, json, openUpstream } from "./testing/upstream-server.ts";

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
  it("is understood there and gets its answer in its own format", async () => {
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

  it("gets an overflow in the words that it acts upon", async () => {
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

  it("gets an answer that is no answer as an error", async () => {
    const { snapshot } = await chatUpstream(json("<html>busy</html>", 200));
    const { status, text } = await ask(snapshot, "/v1/messages", REQUEST);
    expect([status, JSON.parse(text)]).toMatchObject([502, { type: "error", error: { type: "api_error" } }]);
  });
});

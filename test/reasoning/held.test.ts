import { afterAll, beforeAll, beforeEach, describe, expect, it } from "vitest";
import { anthropicClient } from "../conformance/anthropic-client.ts";
import { chatClient } from "../conformance/chat-client.ts";
import { PATH_SCHEMA } from "../conformance/client.ts";
import { geminiClient } from "../conformance/gemini-client.ts";
import { responsesClient } from "../conformance/responses-client.ts";
import { type GatewaySettings, openRig, type Rig } from "./rig.ts";

let rig: Rig;
beforeAll(async () => {
  rig = await openRig();
});
beforeEach(() => rig.simulator.reset());
afterAll(() => rig.close());

const CLIENTS = {
  messages: anthropicClient,
  chat: chatClient,
  responses: responsesClient,
  gemini: geminiClient,
} as const;
type ClientName = keyof typeof CLIENTS;

/** Models behind upstreams that speak chat completions, and in which field each of them wants its reasoning back. */
const MODELS = [
  ["openrouter", "anthropic/claude-sonnet-4.5:4k", "reasoning_details"],
  ["openrouter", "google/gemini-3.5-flash:high", "reasoning_details"],
  ["openrouter", "openai/gpt-5:high", "reasoning_details"],
  ["openrouter", "moonshotai/kimi-k2.6:high", "reasoning_details"],
  ["thinking-chat", "deepseek-v4-pro:high", "reasoning_content"],
  ["thinking-chat", "kimi-k2.6:high", "reasoning_content"],
] as const;

const THREE_TURNS =
  'simulate: think 60\nsimulate: call read {"path":"{step}.ts"}\nsimulate: times 3\nsimulate: say Thought through.';
const ROUNDS = ["1", "2", "3"].map((step) => [{ name: "read", input: { path: `${step}.ts` } }]);

const pairs = (clients: readonly ClientName[]) =>
  MODELS.flatMap(([upstream, model, field]) =>
    clients.flatMap((client) => [true, false].map((stream) => [client, upstream, model, { field, stream }] as const)),
  );

/** How many calls of each request came with their reasoning. */
function broughtBack(field: string): readonly number[] {
  return rig.simulator.requests().map(({ body }) => {
    const messages: readonly Record<string, unknown>[] = Object(body).messages;
    return messages.filter(({ tool_calls: calls, [field]: said }) => calls !== undefined && `${said ?? ""}` !== "")
      .length;
  });
}

describe.each(pairs(["messages", "responses", "gemini"]))(
  "%s client, %s upstream, %s",
  (client, upstream, model, { field, stream }) => {
    it(`sends each call back with the reasoning that led to it (streaming: ${stream})`, async () => {
      const sdk = CLIENTS[client]((await rig.gateway({ upstream })).url);
      const outcome = await sdk.run({ model, stream, prompt: THREE_TURNS, tools: ["read"] });
      expect(outcome).toMatchObject({ rounds: ROUNDS, text: "Thought through." });
      expect(outcome.thinking).not.toBe("");
      expect(broughtBack(field)).toEqual([0, 1, 2, 3]);
    });
  },
);

describe.each(pairs(["messages", "chat", "responses", "gemini"]))(
  "without showing it: %s client, %s upstream, %s",
  (client, upstream, model, { field, stream }) => {
    it(`sends each call back with the reasoning that led to it (streaming: ${stream})`, async () => {
      const environment = { REASONING_EXCLUDE: "true" };
      const sdk = CLIENTS[client]((await rig.gateway({ upstream, environment })).url);
      const outcome = await sdk.run({ model, stream, prompt: THREE_TURNS, tools: ["read"] });
      expect(outcome).toMatchObject({ rounds: ROUNDS, text: "Thought through.", thinking: "" });
      expect(broughtBack(field)).toEqual([0, 1, 2, 3]);
    });
  },
);

const tools = [{ type: "function", function: { name: "read", parameters: PATH_SCHEMA } }];
const ASK = { role: "user", content: 'simulate: think 60\nsimulate: call read {"path":"a.ts"}\nsimulate: say Done.' };

/** A chat client's request, in any layout. */
async function post(settings: GatewaySettings, body: object): Promise<{ answer: Response; text: string }> {
  const { url } = await rig.gateway(settings);
  const headers = { "content-type": "application/json", authorization: "Bearer client" };
  const text = JSON.stringify(body, undefined, 1);
  return { answer: await fetch(`${url}/v1/chat/completions`, { method: "POST", headers, body: text }), text };
}

describe.each([
  ["openrouter", "google/gemini-3.5-flash"],
  ["openrouter", "anthropic/claude-sonnet-4.5"],
  ["thinking-chat", "deepseek-v4-pro"],
])("a chat client of %s that sends the reasoning of %s back itself", (upstream, model) => {
  it("is passed on and answered byte for byte", async () => {
    const body = { model, messages: [ASK], tools, reasoning: { effort: "high" } };
    const { answer, text } = await post({ upstream }, body);
    const reply = await answer.text();
    const direct = await fetch(`${rig.simulator.url}${rig.simulator.requests()[0]?.path}`, {
      method: "POST",
      headers: { authorization: "Bearer key" },
      body: text,
    });
    expect(withoutTime(reply)).toBe(withoutTime(await direct.text()));
    const { message } = JSON.parse(reply).choices[0];
    const result = { role: "tool", tool_call_id: message.tool_calls[0].id, content: "text" };
    const next = await post({ upstream }, { ...body, messages: [ASK, message, result] });
    expect(next.answer.status).toBe(200);
    expect(rig.simulator.requests().at(-1)).toMatchObject({ bytes: next.text.length, body: JSON.parse(next.text) });
  });
});

/** The second in which it was written may be another one. */
function withoutTime(reply: string): string {
  return reply.replace(/"created":\d+/, '"created":0');
}

describe("a chat client of OpenRouter's that asks for no reasoning", () => {
  const model = "google/gemini-3.5-flash";

  it("goes on with tools, and sees none", async () => {
    const body = { model, messages: [ASK], tools, reasoning: { effort: "high", exclude: true } };
    const { message } = (await (await post({ upstream: "openrouter" }, body)).answer.json()).choices[0];
    expect(Object.keys(message).filter((name) => name.startsWith("reasoning"))).toEqual([]);
    const result = { role: "tool", tool_call_id: message.tool_calls[0].id, content: "text" };
    const next = await post({ upstream: "openrouter" }, { ...body, messages: [ASK, message, result] });
    expect((await next.answer.json()).choices[0].message).toMatchObject({ content: "Done." });
    expect(rig.simulator.requests().map(({ body }) => Object(body).reasoning)).toEqual([
      { effort: "high" },
      { effort: "high" },
    ]);
    expect(broughtBack("reasoning_details")).toEqual([0, 1]);
  });

  it("is left to OpenRouter where there are no tools", async () => {
    const { text } = await post({ upstream: "openrouter" }, { model, messages: [ASK], reasoning: { exclude: true } });
    expect(rig.simulator.requests().at(-1)).toMatchObject({ bytes: text.length, body: JSON.parse(text) });
  });
});

describe("reasoning that is gone", () => {
  const call = { id: "call_lost", type: "tool_use", name: "read", input: { path: "a.ts" } };
  const messages = [
    ASK,
    { role: "assistant", content: [call] },
    { role: "user", content: [{ type: "tool_result", tool_use_id: call.id, content: "text" }] },
  ];

  it.each([
    ["openrouter", "anthropic/claude-sonnet-4.5:4k", "so thinking was turned off", { reasoning: { effort: "none" } }],
    ["openrouter", "moonshotai/kimi-k2.6:high", "so thinking was turned off", { reasoning: { effort: "none" } }],
    ["openrouter", "google/gemini-3.5-flash:high", "with Google's placeholder", { reasoning: { effort: "high" } }],
    ["openrouter", "openai/gpt-5:high", "", { reasoning: { effort: "high" } }],
    ["thinking-chat", "deepseek-v4-pro:high", "was sent with empty thinking", { reasoning_effort: "high" }],
    ["thinking-chat", "kimi-k2.6:high", "was sent with empty thinking", { reasoning_effort: "high" }],
  ])("ends no loop at %s, %s, and warns the client: %s", async (upstream, model, warning, said) => {
    const { url } = await rig.gateway({ upstream });
    const answer = await fetch(`${url}/v1/messages`, {
      method: "POST",
      headers: { "content-type": "application/json", "anthropic-version": "2023-06-01", "x-api-key": "client" },
      body: JSON.stringify({
        model,
        max_tokens: 8_000,
        messages,
        tools: [{ name: "read", input_schema: PATH_SCHEMA }],
      }),
    });
    expect([answer.status, answer.headers.get("x-longhaul-warnings") ?? ""]).toEqual([
      200,
      expect.stringContaining(warning),
    ]);
    expect(rig.simulator.requests().at(-1)?.body).toMatchObject(said);
  });
});

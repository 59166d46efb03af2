import { textMessage } from "@longhaul/conversation";
import { makeTokenCounters } from "@longhaul/models";
import { type Codec, codecOf } from "@longhaul/wire";
import { afterAll, beforeAll, expect, it } from "vitest";
import { BODIES, makeAsk, makeTalk, openBench } from "../testing/summaries.ts";
import { appendedForm } from "./appended-form.ts";
import { openBody } from "./opened-body.ts";

const talk = makeTalk(11);
const ask = makeAsk(talk);
let opened: Awaited<ReturnType<typeof openBench>>;
beforeAll(async () => {
  opened = await openBench({});
});
afterAll(() => opened.close());

const encoder = new TextEncoder();

interface Given {
  readonly body?: object;
  readonly codec?: Codec;
  readonly asked?: typeof ask;
  readonly windowTokens?: number;
}

async function append({ body = {}, codec = codecOf("anthropic-messages"), asked = ask, ...rest }: Given) {
  const bytes = encoder.encode(JSON.stringify({ ...BODIES["anthropic-messages"](talk), ...body }));
  const sent = { opened: openBody(bytes, codec)!, tokens: 6_000, windowTokens: rest.windowTokens ?? 200_000 };
  const counter = await makeTokenCounters().counterFor("claude");
  const { destination, call } = opened.context;
  return appendedForm(asked, sent, { destination, headers: call.headers, counter });
}

it("asks below the request, streamed as that was, and says how large it is", async () => {
  const appended = await append({});
  expect(appended).toMatchObject({
    outgoing: { wire: "anthropic-messages", action: "generate", model: "claude-sonnet-4-5", stream: true },
  });
  expect(appended?.promptTokens).toBeGreaterThan(6_000);
});

it("fits to the last token, and not beyond", async () => {
  const promptTokens = (await append({}))?.promptTokens ?? 0;
  expect(await append({ windowTokens: promptTokens + ask.maxTokens })).toBeDefined();
  expect(await append({ windowTokens: promptTokens + ask.maxTokens - 1 })).toBeUndefined();
});

const { messages } = BODIES["anthropic-messages"](talk);
const pending = { role: "assistant", content: [{ type: "tool_use", id: "t1", name: "read", input: {} }] };

it.each<[string, Given]>([
  ["a tool must be called", { body: { tool_choice: { type: "any" } } }],
  ["one tool must be called", { body: { tool_choice: { type: "tool", name: "read" } } }],
  ["the answer must be JSON", { body: { output_config: { format: { type: "json_schema", schema: {} } } } }],
  ["a call still waits for its result", { body: { messages: [...messages, pending] } }],
  ["the vendor holds the conversation", { body: { conversation: "conv_1" } }],
  ["the vendor holds what came before", { body: { previous_response_id: "resp_1" } }],
  ["the answer comes later", { body: { background: true } }],
  ["the messages are not in the request", { asked: { ...ask, messages: [textMessage("user", "said elsewhere")] } }],
  ["the messages stand in another order", { asked: { ...ask, messages: ask.messages.toReversed() } }],
  ["the messages hold no words", { asked: { ...ask, messages: [{ role: "user", blocks: [] }] } }],
])("is nothing where %s", async (_, given) => {
  expect(await append(given)).toBeUndefined();
});

it("is nothing for an ask about a single text", async () => {
  const { range: _, ...single } = ask;
  expect(await append({ asked: single })).toBeUndefined();
});

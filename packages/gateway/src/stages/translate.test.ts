import type { Reply } from "@longhaul/conversation/advanced";
import { events, type Handler, json, openUpstream } from "@longhaul/fit/testing";
import { type Codec, codecOf, collectReply, eventsOf, NOTHING_TO_RESTORE } from "@longhaul/wire";
import { afterEach, describe, expect, it } from "vitest";
import { openRecord } from "../request/request-record.ts";
import { makeChat, openFitBench } from "../testing/fitting.ts";
import { ask } from "../testing/serve.ts";
import { makeSnapshot } from "../testing/snapshot.ts";
import { encodeSync } from "./encode.ts";
import { contextHeaders, readReply, warningHeaders } from "./translate.ts";
import { makeReader, makeWriter } from "./translator.ts";

const closers: (() => Promise<void>)[] = [];
afterEach(async () => {
  for (const close of closers.splice(0).reverse()) await close();
});

const REPLY: Reply = {
  id: "reply_1",
  model: "m",
  blocks: [
    { type: "text", text: "Grüße, 世界! 😀" },
    { type: "tool-call", id: "call_1", name: "read", input: { path: "a.ts" } },
  ],
  stopReason: "tool-calls",
  usage: { inputTokens: 11, cacheReadTokens: 0, cacheWriteTokens: 0, outputTokens: 7 },
};

const WIRES = ["anthropic-messages", "openai-chat", "openai-responses", "gemini"] as const;
type Wire = (typeof WIRES)[number];

const UPSTREAMS: Readonly<Record<Wire, (url: string) => object>> = {
  "anthropic-messages": (baseUrl) => ({ kind: "anthropic", baseUrl }),
  "openai-chat": (url) => ({ kind: "openai-compatible", baseUrl: `${url}/v1` }),
  "openai-responses": (url) => ({ kind: "openai", wire: "openai-responses", baseUrl: `${url}/v1` }),
  gemini: (baseUrl) => ({ kind: "gemini", baseUrl }),
};

/** A request in each format, for a stream or not. */
function requestOf(wire: Wire, stream: boolean): { path: string; body: object } {
  const messages = [{ role: "user", content: "hi" }];
  switch (wire) {
    case "anthropic-messages":
      return { path: "/v1/messages", body: { model: "m", max_tokens: 9, messages, stream } };
    case "openai-chat":
      return {
        path: "/v1/chat/completions",
        body: { model: "m", stream, messages, ...(stream && { stream_options: { include_usage: true } }) },
      };
    case "openai-responses":
      return { path: "/v1/responses", body: { model: "m", input: "hi", ...(stream && { stream }) } };
    case "gemini":
      return {
        path: `/v1beta/models/m:${stream ? "streamGenerateContent?alt=sse" : "generateContent"}`,
        body: { contents: [{ role: "user", parts: [{ text: "hi" }] }] },
      };
  }
}

function streamIn(codec: Codec): string {
  const writer = makeWriter({ to: codec, writing: {}, change: (event) => [event], onWritten: () => {} });
  return Buffer.from(writer.end(eventsOf(REPLY))).toString();
}

function readStream(codec: Codec, text: string): Reply {
  const reader = makeReader({ from: codec, reading: {}, restore: NOTHING_TO_RESTORE });
  return collectReply([...reader.feed(Buffer.from(text)), ...reader.end()]);
}

/** An upstream of a format that answers like this, whatever it is asked for. */
async function answering(wire: Wire, handler: Handler) {
  const upstream = await openUpstream(handler);
  const file = { upstreams: { up: UPSTREAMS[wire](upstream.url) }, routes: [{ match: "*", upstream: "up" }] };
  const snapshot = makeSnapshot(file);
  closers.push(upstream.close, snapshot.close);
  return snapshot;
}

/** The parts of a reply that every format can express. */
function same(reply: Reply) {
  const blocks = reply.blocks.map((block) => {
    if (block.type === "text") return { text: block.text };
    return block.type === "tool-call" ? { name: block.name, input: block.input } : block;
  });
  const { inputTokens, outputTokens } = reply.usage;
  return { blocks, stopReason: reply.stopReason, usage: { inputTokens, outputTokens } };
}

const pairs = WIRES.flatMap((client) => WIRES.map((upstream) => [client, upstream] as const));

describe.each(pairs)("a client of %s on an upstream of %s", (client, wire) => {
  it("gets a stream if it asks for one and the upstream returns one body", async () => {
    const snapshot = await answering(wire, json(codecOf(wire).encodeReply(REPLY), 200, { "request-id": "req_up" }));
    const record = openRecord("lh_test");
    const { path, body } = requestOf(client, true);
    const { status, headers, text } = await ask(snapshot, path, body, { record });
    expect([status, headers["content-type"]]).toEqual([200, "text/event-stream"]);
    expect(headers["request-id"]).toBe(client === wire ? "req_up" : undefined);
    expect(same(readStream(codecOf(client), text))).toEqual(same(REPLY));
    expect(record.usage?.()).toMatchObject({ inputTokens: 11, outputTokens: 7 });
  });

  it("gets one body if it asks for no stream and the upstream returns one", async () => {
    const snapshot = await answering(wire, events(streamIn(codecOf(wire))));
    const { path, body } = requestOf(client, false);
    const { status, headers, text } = await ask(snapshot, path, body);
    expect([status, headers["content-type"]]).toEqual([200, "application/json"]);
    expect(headers["request-id"]).toBe(client === wire ? "req_up" : undefined);
    expect(same(codecOf(client).decodeReply(JSON.parse(text)))).toEqual(same(REPLY));
  });
});

describe("a stream for a whole body, or the reverse", () => {
  const asked = requestOf("openai-chat", true);

  it("ends like a chat stream, without usage if the client did not ask for it", async () => {
    const snapshot = await answering("openai-chat", json(codecOf("openai-chat").encodeReply(REPLY)));
    const { text } = await ask(snapshot, asked.path, { ...asked.body, stream_options: undefined });
    expect(text).toMatch(/data: \[DONE\]\n\n$/);
    expect(text).not.toContain("prompt_tokens");
  });

  it("keeps the id of a Responses upstream, which stores the response", async () => {
    const snapshot = await answering("openai-responses", json(codecOf("openai-responses").encodeReply(REPLY)));
    const { path, body } = requestOf("openai-responses", true);
    expect((await ask(snapshot, path, body)).text).toContain('"id":"reply_1"');
  });

  it("becomes an error in the client's dialect if it is an error with status 200", async () => {
    const error = { error: { message: "no more of that", type: "rate_limit_error", code: "rate_limit_exceeded" } };
    const snapshot = await answering("openai-chat", json(error));
    const { status, text } = await ask(snapshot, asked.path, asked.body);
    expect([status, JSON.parse(text).error.message]).toEqual([429, "no more of that"]);
  });

  it("becomes an error if the stream breaks", async () => {
    const whole = streamIn(codecOf("openai-chat"));
    const snapshot = await answering("openai-chat", events(whole.slice(0, whole.length / 2)));
    const { path, body } = requestOf("anthropic-messages", false);
    const { status, text } = await ask(snapshot, path, body);
    expect([status, JSON.parse(text)]).toMatchObject([502, { type: "error", error: { type: "api_error" } }]);
  });
});

const { destination, call } = await openFitBench();
const head = { destination, encoded: encodeSync({ call: call(makeChat(1)), destination }), status: 200, headers: {} };
const whole = (text: string) => ({ ...head, isStream: false as const, body: Buffer.from(text) });

const MESSAGE = {
  id: "msg_1",
  type: "message",
  role: "assistant",
  model: "m",
  content: [{ type: "text", text: "Hello." }],
  stop_reason: "end_turn",
  usage: { input_tokens: 3, output_tokens: 4 },
};

async function* stream(...events: object[]): AsyncGenerator<Uint8Array> {
  for (const event of events) yield Buffer.from(`data: ${JSON.stringify(event)}\n\n`);
}

describe("readReply", () => {
  it("reads the same reply from one body and from a stream", async () => {
    const body = stream(
      { type: "message_start", message: { ...MESSAGE, content: [], stop_reason: null } },
      { type: "content_block_start", index: 0, content_block: { type: "text", text: "" } },
      { type: "content_block_delta", index: 0, delta: { type: "text_delta", text: "Hello." } },
      { type: "content_block_stop", index: 0 },
      { type: "message_delta", delta: { stop_reason: "end_turn" }, usage: MESSAGE.usage },
      { type: "message_stop" },
    );
    const expected = { id: "msg_1", stopReason: "end", blocks: [{ type: "text", text: "Hello." }] };
    expect(await readReply(whole(JSON.stringify(MESSAGE)))).toMatchObject(expected);
    const ends: unknown[] = [];
    const onEnd = (error?: unknown) => void ends.push(error);
    expect(await readReply({ ...head, isStream: true, body, onEnd })).toMatchObject(expected);
    expect(ends).toEqual([undefined]);
  });

  it("throws for a body that is not JSON, and for an error with status 200", async () => {
    await expect(readReply(whole("<html>"))).rejects.toMatchObject({ code: "upstream.broken" });
    const refusal = { type: "error", error: { type: "overloaded_error", message: "Overloaded" } };
    await expect(readReply(whole(JSON.stringify(refusal)))).rejects.toMatchObject({ message: "Overloaded" });
  });
});

const bench = await openFitBench();

it("returns no context headers if the original was sent", async () => {
  expect(contextHeaders(await bench.fit(makeChat(1)))).toEqual({});
});

it("returns the sizes, the strategy and whether the condensation was new or reused", async () => {
  const made = await bench.fit(makeChat(60));
  const reused = await bench.fit(makeChat(60));
  expect(contextHeaders(made)).toEqual({
    "x-context-compressed": "true",
    "x-original-tokens": `${made.originalTokens}`,
    "x-compressed-tokens": `${made.form.tokens}`,
    "x-longhaul-strategy": "middle-out",
    "x-longhaul-context": "new",
  });
  expect(contextHeaders(reused)).toEqual({ ...contextHeaders(made), "x-longhaul-context": "reused" });
});

it("returns a lowered output limit", async () => {
  const fitted = await bench.fit(makeChat(20, { max_tokens: 3_500 }));
  expect(contextHeaders(fitted)).toEqual({ "x-longhaul-max-tokens": `${fitted.maxOutputTokens}` });
});

const warning = {
  feature: "reasoning.budget",
  action: "changed",
  message: "16000 instead of 20000",
  count: 1,
} as const;

it("lists warnings in an ASCII header of at most 1,000 characters", () => {
  const odd = { ...warning, feature: "sampling.topK", message: "zu groß\n" };
  const search = { ...warning, feature: "tool.server", message: "the tool web_search runs at another vendor" };
  const other = { ...warning, feature: "block.thinking" };
  expect(warningHeaders([warning, odd, other, search])).toEqual({
    "x-longhaul-warnings":
      "reasoning.budget: 16000 instead of 20000; sampling.topK: zu gro??; tool.server: the tool web_search runs at another vendor",
  });
  expect(warningHeaders([other, { ...warning, feature: "cache-mark" }])).toEqual({});
  expect(warningHeaders([{ ...warning, message: "x".repeat(5_000) }])["x-longhaul-warnings"]).toHaveLength(1_000);
});

import { project } from "@longhaul/condense";
import { pureHash, type WireId } from "@longhaul/conversation/advanced";
import { makeAssistant, makeUser } from "@longhaul/conversation/testing";
import { contextSchema, mergeContext } from "@longhaul/settings";
import { openSimulator, type SimulatorOptions } from "@longhaul/simulator";
import { codecOf } from "@longhaul/wire";
import { afterEach, describe, expect, it } from "vitest";
import { destinationAt } from "../destinations/destination.ts";
import { makeEndpoint, makeSetup } from "../testing/index.ts";
import { askClaude, makeLongText, makeRequest } from "../testing/simulated-claude.ts";
import { projectionOfBlock } from "./blocks.ts";
import { COMPACTION_INSTRUCTIONS } from "./compaction-plan.ts";
import { makeCompactor, summarizeRequest, triggerRequest } from "./make-compactor.ts";

const closers: (() => Promise<void>)[] = [];
afterEach(async () => {
  for (const close of closers.splice(0)) await close();
});

interface Setting extends SimulatorOptions {
  readonly model?: string;
  readonly wire?: WireId;
  readonly client?: WireId;
  readonly upstream?: object;
  readonly headers?: Readonly<Record<string, string>>;
}

async function open(setting: Setting = {}) {
  const { model = "claude-opus-5-5", wire = "anthropic-messages", client = "openai-chat", headers = {} } = setting;
  const simulator = await openSimulator(setting);
  const snapshot = makeSetup({
    upstreams: {
      claude: { kind: "anthropic", baseUrl: simulator.url, apiKey: "k", ...setting.upstream },
      openai: { kind: "openai", baseUrl: `${simulator.url}/v1`, apiKey: "k", wire: "openai-responses" },
    },
  });
  closers.push(snapshot.close, simulator.close);
  const id = wire === "anthropic-messages" ? "claude" : "openai";
  const context = mergeContext(contextSchema.parse({}));
  const destination = destinationAt(id, { requested: model, wire, snapshot, isRenamed: false, context });
  const endpoint = makeEndpoint(client);
  const compactor = makeCompactor({
    destination,
    call: { headers, endpoint },
    random: () => 0,
    wait: () => Promise.resolve(),
  });
  return { simulator, compactor, destination };
}

const never = new AbortController().signal;
const messages = [
  makeUser(`Fix src/main.ts. ${makeLongText(4_000)}`),
  makeAssistant("Which line?"),
  makeUser("Line 7."),
];

function bodyFor(model: string, fields: object = {}) {
  const { body } = codecOf("anthropic-messages").encodeRequest(makeRequest(messages, { model }), { model });
  return Buffer.from(JSON.stringify({ ...body, cache_control: { type: "ephemeral" }, ...fields }));
}

async function post(url: string, body: Uint8Array, beta = "compact-2026-09-04") {
  const headers = { "x-api-key": "k", "anthropic-version": "2023-06-01", "anthropic-beta": beta };
  const response = await fetch(`${url}/v1/messages`, { method: "POST", headers, body: new Uint8Array(body) });
  expect(response.status).toBe(200);
}

describe("a compactor for Claude", () => {
  it("returns the signed block for a sent request, read from the cache, with its cost", async () => {
    const { simulator, compactor } = await open();
    const body = bodyFor("claude-opus-5-5", { stream: true });
    await post(simulator.url, body);
    const answer = await compactor?.({ body, tokens: 5_000 }, never);
    expect(answer).toMatchObject({
      kind: "compaction",
      block: { type: "compaction", vendor: "anthropic", extra: { signature: expect.any(String) } },
    });
    const [sent, asked] = simulator.requests();
    expect(asked).toMatchObject({ compactions: 1, headers: { "anthropic-beta": "compact-2026-09-04" } });
    expect(asked?.cacheReadTokens).toBeGreaterThan(4_000);
    expect(asked?.cacheReadTokens).toBe(sent?.cacheWriteTokens);
    expect(answer?.costUsd).toBeCloseTo(asked?.costUsd ?? 0, 10);
    expect(answer?.usage).toMatchObject({ cacheReadTokens: asked?.cacheReadTokens, outputTokens: asked?.outputTokens });
  });

  it("returns a block that the API accepts in place of exactly those messages", async () => {
    const { simulator, compactor } = await open();
    const answer = await compactor?.({ body: bodyFor("claude-opus-5-5"), tokens: 5_000 }, never);
    if (answer?.kind !== "compaction") throw new Error("no block");
    const raw = { system: [], tools: [], messages: [...messages, makeAssistant("Done."), makeUser("Thanks.")] };
    const { conversation } = project(raw, projectionOfBlock(answer.block, 3), pureHash);
    const request = makeRequest([], { model: "claude-opus-5-5", conversation });
    const exchange = await askClaude(simulator.url, request, { betas: ["compact-2026-09-04"] });
    expect([exchange.status, exchange.error]).toEqual([200, undefined]);
  });

  it("keeps a Messages client's own betas, except those that the upstream must not get", async () => {
    const headers = {
      "anthropic-beta": "context-1m-2025-08-07,thinking-token-count-2026-05-13",
      "idempotency-key": "once",
    };
    const { simulator, compactor } = await open({
      client: "anthropic-messages",
      headers,
      upstream: { window: 200_000 },
    });
    await compactor?.({ body: bodyFor("claude-opus-5-5"), tokens: 5_000 }, never);
    const [asked] = simulator.requests();
    expect(asked?.headers).toMatchObject({ "anthropic-beta": "thinking-token-count-2026-05-13,compact-2026-09-04" });
    expect(asked?.headers).not.toHaveProperty("idempotency-key");
  });

  it("replaces the threshold edit of the sent request", async () => {
    const { simulator, compactor } = await open({ model: "claude-opus-4-6" });
    const edits = [{ type: "compact_20260112", trigger: { type: "input_tokens", value: 150_000 } }];
    const body = bodyFor("claude-opus-4-6", { context_management: { edits } });
    await post(simulator.url, body, "compact-2026-01-12");
    expect(await compactor?.({ body, tokens: 5_000 }, never)).toMatchObject({ kind: "compaction" });
  });

  it.each([
    ["refuses", "refuse", "it returned no summary"],
    ["says nothing", "empty", "it returned no summary"],
  ])("fails if the model %s", async (_, script, why) => {
    const { compactor, simulator } = await open({ script: () => script });
    const answer = await compactor?.({ body: bodyFor("claude-opus-5-5"), tokens: 5_000 }, never);
    expect(answer).toMatchObject({ kind: "failed", why, costUsd: simulator.requests()[0]?.costUsd });
  });

  it("fails if the upstream fails twice", async () => {
    const { compactor, simulator } = await open();
    simulator.inject({ fault: "status=500", times: 2 });
    const answer = await compactor?.({ body: bodyFor("claude-opus-5-5"), tokens: 5_000 }, never);
    expect([answer?.kind, simulator.requests().length]).toEqual(["failed", 2]);
  });

  it("fails if it is aborted, or if the sent body is not a request", async () => {
    const { compactor } = await open();
    const called = AbortSignal.abort();
    expect(await compactor?.({ body: bodyFor("claude-opus-5-5"), tokens: 1 }, called)).toMatchObject({
      kind: "failed",
      why: "it was aborted",
    });
    expect(await compactor?.({ body: Buffer.from("{}"), tokens: 1 }, never)).toEqual({
      kind: "failed",
      why: "the sent request cannot be parsed",
    });
  });
});

describe("a compactor for OpenAI", () => {
  const openai = { model: "gpt-5.2", wire: "openai-responses" } as const;
  const input = [
    { role: "user", content: `Fix src/main.ts. ${makeLongText(4_000)}` },
    { role: "assistant", content: "Which line?" },
    { role: "user", content: "Line 7." },
  ];
  const body = Buffer.from(JSON.stringify({ model: "gpt-5.2", input, instructions: "Be brief.", store: false }));

  async function respond(url: string, items: readonly object[]) {
    const headers = { authorization: "Bearer k", "content-type": "application/json" };
    const sent = JSON.stringify({ model: "gpt-5.2", input: items, instructions: "Be brief.", store: false });
    return (await fetch(`${url}/v1/responses`, { method: "POST", headers, body: sent })).status;
  }

  it("returns the item for a sent request, read from the cache, with its cost", async () => {
    const { simulator, compactor } = await open(openai);
    expect(await respond(simulator.url, input)).toBe(200);
    const answer = await compactor?.({ body, tokens: 5_000 }, never);
    const asked = simulator.requests()[1];
    expect(answer).toMatchObject({
      kind: "compaction",
      block: { text: null, vendor: "openai", encrypted: expect.any(String) },
    });
    expect(asked).toMatchObject({ compactions: 1, path: "/v1/responses" });
    expect(asked?.cacheReadTokens).toBeGreaterThan(0);
    expect(answer?.costUsd).toBeCloseTo(asked?.costUsd ?? 0, 10);
  });

  it("returns an item that the API accepts in place of exactly those messages", async () => {
    const { simulator, compactor } = await open(openai);
    const answer = await compactor?.({ body, tokens: 5_000 }, never);
    if (answer?.kind !== "compaction") throw new Error("no block");
    const raw = { system: [], tools: [], messages: [...messages, makeAssistant("Done."), makeUser("Thanks.")] };
    const { conversation } = project(raw, projectionOfBlock(answer.block, 3), pureHash);
    const request = makeRequest([], { model: "gpt-5.2", conversation });
    const encoded = codecOf("openai-responses").encodeRequest(request, { model: "gpt-5.2" }).body;
    const items = Array.isArray(encoded.input) ? encoded.input : [];
    expect(items.map(({ type, role }) => role ?? type)).toEqual(["compaction", "assistant", "user"]);
    expect(await respond(simulator.url, items)).toBe(200);
  });
});

it.each<[string, Setting]>([
  ["a model without it", { model: "claude-haiku-4-5" }],
  ["a beta that is blocked", { upstream: { blockedBetas: ["compact-2026-09-04"] } }],
  ["a model of OpenAI's without it", { model: "gpt-4o", wire: "openai-responses" }],
])("is not made for %s", async (_, setting) => {
  expect((await open(setting)).compactor).toBeUndefined();
});

const model = { maxOutput: 64_000 };
const text = (bytes: Uint8Array | undefined) => Buffer.from(bytes ?? []).toString();

describe("summarizeRequest", () => {
  it("keeps the bytes of model, system, tools and messages, and asks for a summary instead of an answer", () => {
    const sent =
      '{ "context_management":{"edits":[]}, "model":"m","stream" : true, "system":[ "é" ],"messages":[ {"a":1} ], "max_tokens":100,"tools":[]}';
    const asked = JSON.stringify({ type: "summarize", instructions: COMPACTION_INSTRUCTIONS });
    expect(text(summarizeRequest(Buffer.from(sent), { model }))).toBe(
      `{"model":"m","stream":false,"system":[ "é" ],"messages":[ {"a":1} ],"max_tokens":8192,"tools":[],"compaction":${asked}}`,
    );
  });

  it.each([
    [100, 8_192],
    [20_000, 20_000],
    [100_000, 64_000],
  ])("turns an output limit of %i into %i for the summary", (max_tokens, expected) => {
    const sent = Buffer.from(JSON.stringify({ max_tokens, messages: [{}] }));
    expect(JSON.parse(text(summarizeRequest(sent, { model })))).toMatchObject({ max_tokens: expected });
  });

  const marked = (marks: number) => Array.from({ length: marks }, () => ({ cache_control: { type: "ephemeral" } }));

  it.each([
    ["nothing is marked", { messages: [{ text: '"cache_control"' }] }, undefined],
    ["the client marks its messages", { messages: marked(3) }, { type: "ephemeral" }],
    ["there are as many marks as there may be", { messages: marked(4) }, undefined],
    ["the vendor sets the mark", { messages: [{}], cache_control: { ttl: "1h" } }, { ttl: "1h" }],
  ])("sets or omits a cache mark at the end of the messages if %s", (_, sent, expected) => {
    const asked = summarizeRequest(Buffer.from(JSON.stringify(sent)), { model });
    expect(JSON.parse(text(asked)).cache_control).toEqual(expected);
  });

  it("uses the given instructions", () => {
    const asked = summarizeRequest(Buffer.from('{"messages":[{}]}'), { model, instructions: "Be brief." });
    expect(JSON.parse(text(asked)).compaction).toEqual({ type: "summarize", instructions: "Be brief." });
  });
});

describe("triggerRequest", () => {
  it("adds the trigger after the last item", () => {
    const sent = '{"model":"m","input":[ {"a":1} , {"b":2} ],"stream":true,"stream_options":{},"instructions":"s"}';
    expect(text(triggerRequest(Buffer.from(sent), { model }))).toBe(
      '{"model":"m","input":[{"a":1} , {"b":2},{"type":"compaction_trigger"}],"stream":false,"instructions":"s"}',
    );
  });

  it("raises a low output limit for the summary", () => {
    const sent = Buffer.from('{"input":[{}],"max_output_tokens":16}');
    expect(JSON.parse(text(triggerRequest(sent, { model })))).toMatchObject({ max_output_tokens: 8_192 });
  });
});

it.each(["", "[]", '{"model":"m"}', '{"messages":[],"input":[]}', '{"messages":"x","input":"x"}'])(
  "returns nothing for %j",
  (sent) => {
    expect(summarizeRequest(Buffer.from(sent), { model })).toBeUndefined();
    expect(triggerRequest(Buffer.from(sent), { model })).toBeUndefined();
  },
);

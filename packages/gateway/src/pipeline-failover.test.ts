import { decode } from "@longhaul/fit";
import { anthropicError, type Handler, json, openUpstream } from "@longhaul/fit/testing";
import { afterEach, describe, expect, it } from "vitest";
import { tryDestinations } from "./pipeline.ts";
import { findEndpoint } from "./request/endpoints.ts";
import { openRecord } from "./request/request-record.ts";
import { resolve } from "./stages/resolve.ts";
import { Refusal } from "./stages/send.ts";
import { makeCaller } from "./testing/caller.ts";
import { makeContext } from "./testing/context.ts";
import { BENCH_MODEL, makeChat } from "./testing/fitting.ts";
import { makeMemory } from "./testing/memory.ts";
import { ask } from "./testing/serve.ts";
import { makeSnapshot } from "./testing/snapshot.ts";

const closers: (() => Promise<void>)[] = [];
afterEach(async () => {
  for (const close of closers.splice(0).reverse()) await close();
});

async function route(...upstreams: Handler[][]) {
  const servers = await Promise.all(upstreams.map((handlers) => openUpstream(...handlers)));
  const named = Object.fromEntries(
    servers.map(({ url }, index) => [`up${index}`, { kind: "anthropic", baseUrl: url, maxRetries: 2 }]),
  );
  const snapshot = makeSnapshot({ upstreams: named, routes: [{ match: "*", upstream: Object.keys(named) }] });
  closers.push(snapshot.close, ...servers.map(({ close }) => close));
  const memory = await makeMemory();
  const waits: number[] = [];
  const send = () => {
    const body = new TextEncoder().encode('{"model":"claude-opus-4-6","max_tokens":1,"messages":[]}');
    const call = decode({
      id: "i",
      endpoint: findEndpoint("POST", "/v1/messages")!,
      body,
      headers: {},
      query: "",
      caller: makeCaller(),
    });
    const wait = async (ms: number) => void waits.push(ms);
    const destinations = resolve({ key: undefined, model: call.model, wire: call.endpoint.wire }, snapshot);
    const context = makeContext({ random: () => 1, wait, memory, snapshot });
    return tryDestinations({ call, destinations, accept: async (answer) => answer }, context);
  };
  return { send, waits, counts: () => servers.map(({ seen }) => seen.length) };
}

const good = json('{"content":[],"stop_reason":"end_turn"}');
const failing = json(anthropicError(500, "api_error", "oops"), 500);

describe("tryDestinations", () => {
  it("waits longer before each retry", async () => {
    const { send, waits, counts } = await route([failing, failing, good]);
    const { status, body } = await send();
    expect([status, String(body), counts(), waits]).toEqual([
      200,
      '{"content":[],"stop_reason":"end_turn"}',
      [3],
      [500, 1_000],
    ]);
  });

  it("throws the last refusal, with the upstream's own bytes", async () => {
    const { send, counts } = await route(
      [failing],
      [json(anthropicError(429, "rate_limit_error", "slow down"), 429, { "retry-after": "60" })],
    );
    const refusal = await send().catch((error: unknown) => error);
    expect(refusal).toBeInstanceOf(Refusal);
    expect(refusal).toMatchObject({ error: { status: 429 }, headers: { "retry-after": "60" } });
    expect(counts()).toEqual([3, 1]);
  });

  it("reports why the first upstream failed, not what the next one cannot express", async () => {
    const upstream = await openUpstream(failing);
    const snapshot = makeSnapshot({
      upstreams: {
        first: { kind: "openai", baseUrl: upstream.url, maxRetries: 0 },
        second: { kind: "anthropic", baseUrl: upstream.url },
      },
      routes: [{ match: "*", upstream: ["first", "second"] }],
    });
    closers.push(upstream.close, snapshot.close);
    const { status } = await ask(snapshot, "/v1/responses", { model: "m", input: "x", background: true });
    expect([status, upstream.seen.length]).toEqual([500, 1]);
  });

  it("tries the next upstream at once if the first one asks not to retry", async () => {
    const final = json(anthropicError(500, "api_error", "oops"), 500, { "x-should-retry": "false" });
    const { send, counts } = await route([final], [good]);
    expect([(await send()).status, counts()]).toEqual([200, [1, 1]]);
  });

  it("stops retrying when the retry budget is spent", async () => {
    const { send, counts } = await route([failing]);
    for (let request = 0; request < 3; request++) await send().catch(() => {});
    expect(counts()[0]).toBeLessThan(9);
  });

  it("skips an upstream that keeps failing while another answers", async () => {
    const { send, counts } = await route([failing], [good]);
    for (let request = 0; request < 8; request++) await send();
    expect(counts()[0]).toBeLessThanOrEqual(6);
    expect(counts()[1]).toBe(8);
  });
});

describe("a request that is too large for a destination", () => {
  const words = (count: number) => "harbour ".repeat(count);
  const tooLong = json(anthropicError(400, "invalid_request_error", "prompt is too long"), 400);

  async function openRoute(windows: readonly number[], handlers: readonly Handler[], context: object = {}) {
    const servers = await Promise.all(handlers.map((handler) => openUpstream(handler)));
    const named = Object.fromEntries(
      servers.map(({ url }, index) => [
        `up${index}`,
        { kind: "anthropic", baseUrl: url, maxRetries: 0, window: windows[index] },
      ]),
    );
    const snapshot = makeSnapshot({
      upstreams: named,
      routes: [{ match: "*", upstream: Object.keys(named) }],
      context,
    });
    closers.push(snapshot.close, ...servers.map(({ close }) => close));
    const record = openRecord("lh_test");
    const send = (exchanges: number, latest: string) => {
      const { messages } = makeChat(exchanges);
      const body = { model: BENCH_MODEL, max_tokens: 100, messages: [...messages, { role: "user", content: latest }] };
      return ask(snapshot, "/v1/messages", body, { record });
    };
    const counts = () => servers.map(({ seen }) => seen.length);
    const sent = (index: number) => JSON.parse(servers[index]?.seen.at(-1)?.body ?? "null");
    return { send, counts, sent, record };
  }

  it("goes to the first window that it fits, and to a larger one only if condensing does not help", async () => {
    const { send, counts } = await openRoute([4_000, 20_000], [good, good]);
    expect((await send(1, "Hello.")).status).toBe(200);
    const condensed = await send(60, "Hello.");
    expect([condensed.headers["x-context-compressed"], counts()]).toEqual(["true", [2, 0]]);
    const large = await send(1, words(6_000));
    expect([large.status, large.headers["x-context-compressed"], counts()]).toEqual([200, undefined, [2, 1]]);
  });

  it("is condensed for the window that it goes to", async () => {
    const { send, counts, sent } = await openRoute([4_000, 12_000], [good, good]);
    const { headers } = await send(150, words(4_000));
    expect([headers["x-context-compressed"], counts()]).toEqual(["true", [0, 1]]);
    expect(Number(headers["x-compressed-tokens"])).toBeGreaterThan(4_000);
    expect(sent(1).messages.at(-1).content).toBe(words(4_000));
  });

  it("skips destinations whose window is not larger", async () => {
    const { send, counts } = await openRoute([4_000, 4_000, 2_000, 20_000], [good, good, good, good]);
    expect((await send(1, words(6_000))).status).toBe(200);
    expect(counts()).toEqual([0, 0, 0, 1]);
  });

  it("goes to the next destination after two recoveries have failed", async () => {
    const { send, counts, record } = await openRoute([8_000, 20_000], [tooLong, good]);
    const { status, headers } = await send(60, "Hello.");
    expect([status, counts()]).toEqual([200, [3, 1]]);
    expect([headers["x-context-compressed"], record.condensed]).toEqual([undefined, undefined]);
  });

  it.each([{ mode: "off" }, { mode: "observe" }, { strategy: "full-history" }])(
    "goes to the next destination uncondensed with %o",
    async (context) => {
      const { send, counts, sent } = await openRoute([4_000, 20_000], [tooLong, good], context);
      expect((await send(60, "Hello.")).status).toBe(200);
      expect([counts(), sent(1).messages.length]).toEqual([[1, 1], 122]);
    },
  );

  it("is refused with the largest window if it fits none", async () => {
    const { send, counts } = await openRoute([4_000, 8_000], [good, good]);
    const { status, text } = await send(1, words(12_000));
    expect([status, counts()]).toEqual([400, [0, 0]]);
    expect(text).toContain("8000 maximum");
  });

  it("gets the error of the larger destination", async () => {
    const { send, counts } = await openRoute([4_000, 20_000], [good, failing]);
    expect([(await send(1, words(6_000))).status, counts()]).toEqual([500, [0, 1]]);
  });

  it("is sent to the larger destination even if its circuit is open", async () => {
    const { send, counts } = await openRoute([4_000, 20_000], [good, failing]);
    for (let request = 0; request < 7; request++) expect((await send(1, words(6_000))).status).toBe(500);
    expect(counts()).toEqual([0, 7]);
  });

  it("gets the error of a failed destination, not of a smaller one after it", async () => {
    const { send, counts } = await openRoute([20_000, 4_000], [failing, good]);
    expect([(await send(1, words(6_000))).status, counts()]).toEqual([500, [1, 0]]);
  });
});

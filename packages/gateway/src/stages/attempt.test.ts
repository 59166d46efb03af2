import { afterEach, describe, expect, it } from "vitest";
import { findEndpoint } from "../http/endpoints.ts";
import { makeMemory } from "../testing/memory.ts";
import { ask } from "../testing/serve.ts";
import { makeSnapshot } from "../testing/snapshot.ts";
import { anthropicError, type Handler, json, openUpstream } from "../testing/upstream-server.ts";
import { attempt, Refusal } from "./attempt.ts";
import { decode } from "./decode.ts";
import { resolve } from "./resolve.ts";

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
    });
    const wait = async (ms: number) => void waits.push(ms);
    return attempt(call, resolve({ model: call.model, wire: call.endpoint.wire }, snapshot), {
      signal: new AbortController().signal,
      random: () => 1,
      wait,
      note: () => {},
      memory,
      snapshot,
    });
  };
  return { send, waits, counts: () => servers.map(({ seen }) => seen.length) };
}

const good = json({ ok: true });
const failing = json(anthropicError(500, "api_error", "oops"), 500);

describe("attempt", () => {
  it("waits longer before each further try", async () => {
    const { send, waits, counts } = await route([failing, failing, good]);
    const { status, body } = await send();
    expect([status, String(body), counts(), waits]).toEqual([200, '{"ok":true}', [3], [500, 1_000]]);
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

  it("says why the first upstream failed rather than what the next one cannot be told", async () => {
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

  it("stops retrying once the budget for it is spent", async () => {
    const { send, counts } = await route([failing]);
    for (let request = 0; request < 3; request++) await send().catch(() => {});
    expect(counts()[0]).toBeLessThan(9);
  });

  it("keeps away from an upstream that keeps failing while another answers", async () => {
    const { send, counts } = await route([failing], [good]);
    for (let request = 0; request < 8; request++) await send();
    expect(counts()[0]).toBeLessThanOrEqual(6);
    expect(counts()[1]).toBe(8);
  });
});

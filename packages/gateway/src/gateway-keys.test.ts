import { mkdtempSync, rmSync } from "node:fs";
import { request } from "node:http";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { makeKey } from "@longhaul/admin";
import { vendorsAt } from "@longhaul/fit/testing";
import { openSimulator, type Simulator } from "@longhaul/simulator";
import { type KeyLimits, openStore, type Store } from "@longhaul/store";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { type Gateway, openGateway } from "./gateway.ts";

const HELLO = { model: "claude-sonnet-4-5", max_tokens: 50, messages: [{ role: "user", content: "Say hello." }] };

describe("a gateway with keys", () => {
  let simulator: Simulator;
  let store: Store;
  let folder: string;
  const closers: (() => Promise<void>)[] = [];

  beforeEach(async () => {
    folder = mkdtempSync(join(tmpdir(), "longhaul-keys-"));
    simulator = await openSimulator();
    store = await openStore({ path: join(folder, "longhaul.db"), nowMs: Date.now });
  });
  afterEach(async () => {
    for (const close of closers.splice(0).reverse()) await close();
    await store.close();
    await simulator.close();
    rmSync(folder, { recursive: true });
  });

  async function open(upstream: object = { apiKey: "vendors" }, server: object = {}): Promise<Gateway> {
    const file = {
      server: { port: 0, drainSeconds: 1, ...server },
      store: { path: join(folder, "longhaul.db") },
      ...vendorsAt(simulator.url, upstream),
    };
    const gateway = await openGateway({ file });
    closers.push(() => gateway.close());
    return gateway;
  }

  async function addKey(limits: KeyLimits = {}): Promise<string> {
    const { key, stored } = makeKey({ name: "ci", limits, createdAtMs: Date.now() });
    await store.keys.create(stored);
    return key;
  }

  async function say(gateway: Gateway, headers: Record<string, string>, body: object = HELLO) {
    const all = { "content-type": "application/json", "anthropic-version": "2023-06-01", ...headers };
    const answer = await fetch(`${gateway.url}/v1/messages`, {
      method: "POST",
      headers: all,
      body: JSON.stringify(body),
    });
    return { status: answer.status, headers: answer.headers, body: JSON.parse(await answer.text()) };
  }

  it("requires a key as soon as one exists, without a restart", async () => {
    const gateway = await open();
    expect(await gateway.requiresKeys()).toBe(false);
    expect((await say(gateway, {})).status).toBe(200);
    const key = await addKey();
    await expect.poll(async () => (await say(gateway, {})).status).toBe(401);
    expect((await say(gateway, { "x-api-key": key })).status).toBe(200);
    expect(await gateway.requiresKeys()).toBe(true);
  });

  it("rejects a key that was revoked while the gateway runs", async () => {
    const { key, stored } = makeKey({ name: "ci", createdAtMs: 0 });
    await store.keys.create(stored);
    const gateway = await open();
    expect((await say(gateway, { "x-api-key": key })).status).toBe(200);
    await store.keys.revoke(stored.id, Date.now());
    await expect.poll(async () => (await say(gateway, { "x-api-key": key })).status).toBe(401);
  });

  it("sends its key to no upstream, whatever the format and header", async () => {
    const key = await addKey();
    const gateway = await open();
    const calls = [
      ["/v1/messages", HELLO],
      ["/v1/messages", { ...HELLO, model: "gpt-4o" }],
      ["/v1/messages/count_tokens", { model: HELLO.model, messages: HELLO.messages }],
      ["/v1/chat/completions", { model: "gpt-4o", messages: HELLO.messages }],
      ["/v1/responses", { model: "gpt-4o", input: "hi" }],
      ["/v1/embeddings", { model: "gpt-4o", input: "hi" }],
      ["/v1beta/models/gemini-2.5-flash:generateContent", { contents: [{ role: "user", parts: [{ text: "hi" }] }] }],
    ] as const;
    const shown = [
      { authorization: `Bearer ${key}` },
      { "x-api-key": key },
      { "x-goog-api-key": key },
      { "x-longhaul-key": key },
    ];
    for (const [path, body] of calls) {
      for (const headers of [...shown, ...(path.startsWith("/v1beta") ? [undefined] : [])]) {
        const target = `${gateway.url}${path}${headers === undefined ? `?key=${key}` : ""}`;
        const sent = { "content-type": "application/json", "anthropic-version": "2023-06-01", ...headers };
        const answer = await fetch(target, { method: "POST", headers: sent, body: JSON.stringify(body) });
        expect(answer.status, `${path} ${JSON.stringify(headers)}`).not.toBe(401);
        await answer.arrayBuffer();
      }
    }
    expect(simulator.requests().length).toBeGreaterThanOrEqual(calls.length * 4);
    expect(JSON.stringify(simulator.requests())).not.toContain(key);
    expect(JSON.stringify(simulator.requests())).toContain("vendors");
  });

  it("forwards the client's own credential with a gateway key, and explains what to do without one", async () => {
    const key = await addKey();
    const gateway = await open({});
    const both = await say(gateway, { "x-longhaul-key": key, "x-api-key": "clients-own" });
    expect([both.status, simulator.requests().at(-1)?.headers["x-api-key"]]).toEqual([200, "clients-own"]);
    const swapped = await say(gateway, { authorization: `Bearer ${key}`, "x-api-key": "clients-own" });
    expect([swapped.status, JSON.stringify(simulator.requests()).includes(key)]).toEqual([200, false]);
    const alone = await say(gateway, { "x-api-key": key });
    expect(alone).toMatchObject({
      status: 401,
      body: {
        type: "error",
        error: { type: "authentication_error", message: expect.stringContaining("x-longhaul-key") },
      },
    });
    const embedding = {
      method: "POST",
      headers: { authorization: `Bearer ${key}` },
      body: '{"model":"gpt-4o","input":"x"}',
    };
    expect((await fetch(`${gateway.url}/v1/embeddings`, embedding)).status).toBe(401);
    expect(simulator.requests()).toHaveLength(2);
  });

  it("starts on a public address only with keys, or if the operator allows it", async () => {
    await expect(open({}, { host: "0.0.0.0" })).rejects.toMatchObject({ code: "settings.invalid" });
    await open({}, { host: "0.0.0.0", keys: "off" });
    await open({}, { host: "0.0.0.0", keys: "required" });
    await addKey();
    await open({}, { host: "0.0.0.0" });
  });

  it("warns at start if every request will be rejected because no key is valid", async () => {
    const rejected = "every request is rejected: API keys are required, and";
    expect((await open({}, { keys: "required" })).warnings).toEqual([
      expect.stringContaining(`${rejected} none exists`),
    ]);
    await addKey();
    expect((await open({}, { host: "0.0.0.0" })).warnings).toEqual([]);
    const [key] = await store.keys.list();
    await store.keys.revoke(key?.id ?? "", Date.now());
    const gateway = await open({}, { host: "0.0.0.0" });
    expect(gateway.warnings).toEqual([expect.stringContaining(`${rejected} all of them are revoked; create one with`)]);
    expect((await open({}, { keys: "off" })).warnings).toEqual([]);
  });

  it("does not read the body of a rejected request", async () => {
    await addKey();
    const gateway = await open();
    const status = await new Promise((resolve, reject) => {
      const headers = { "content-type": "application/json", "content-length": "1000000" };
      const asking = request(`${gateway.url}/v1/messages`, { method: "POST", headers }, (answer) => {
        resolve(answer.statusCode);
        asking.destroy();
      });
      asking.on("error", reject);
      asking.write("{");
    });
    expect(status).toBe(401);
  });

  describe("limits", () => {
    // Retried, because a new minute restarts the counters, and with a slow database the gateway decides by its last known counts.
    it("are shared by two gateways and reported in the client's dialect", { retry: 2 }, async () => {
      const key = await addKey({ requestsPerMinute: 3 });
      const [first, second] = [await open(), await open()];
      const headers = { "x-api-key": key };
      const left = [];
      for (const gateway of [first, second, first]) {
        const answer = await say(gateway, headers);
        left.push([answer.status, answer.headers.get("anthropic-ratelimit-requests-remaining")]);
      }
      const refused = await say(second, headers);
      expect(left).toEqual([
        [200, "2"],
        [200, "1"],
        [200, "0"],
      ]);
      expect(refused).toMatchObject({
        status: 429,
        body: {
          error: { type: "rate_limit_error", message: expect.stringContaining("limit of 3 requests per minute") },
        },
      });
      expect(Number(refused.headers.get("retry-after"))).toBeGreaterThan(0);
      expect(Number(refused.headers.get("retry-after"))).toBeLessThanOrEqual(60);
    });

    it("on spending count the cost of requests, also if the client disconnects", async () => {
      const key = await addKey({ usdPerDay: 0.000_001 });
      const gateway = await open();
      expect((await say(gateway, { "x-api-key": key })).status).toBe(200);
      await expect.poll(async () => (await say(gateway, { "x-api-key": key })).status).toBe(429);
      const refused = await say(gateway, { "x-api-key": key });
      expect(refused.body.error.message).toMatch(
        /limit of <\$0\.0001 per day, with \$0\.\d*[1-9]\d* spent \(usdPerDay\)/,
      );
    });

    it("on concurrency are released when a request ends or its client disconnects", async () => {
      const key = await addKey({ concurrent: 1 });
      await simulator.close();
      simulator = await openSimulator({ pace: { firstByteMs: 60_000 } });
      const gateway = await open();
      const [{ id } = { id: "" }] = await store.keys.list();
      const gone = new AbortController();
      const headers = { "x-api-key": key, "content-type": "application/json", "anthropic-version": "2023-06-01" };
      const init = { method: "POST", headers, body: JSON.stringify({ ...HELLO, stream: true }) };
      const waiting = fetch(`${gateway.url}/v1/messages`, { ...init, signal: gone.signal }).catch(() => "gone");
      await expect.poll(async () => (await store.limits.used(id, Date.now())).underWay).toBe(1);
      expect((await say(gateway, { "x-api-key": key })).body.error.message).toContain(
        "limit of 1 concurrent request (concurrent)",
      );
      gone.abort();
      expect(await waiting).toBe("gone");
      await expect.poll(async () => (await store.limits.used(id, Date.now())).underWay).toBe(0);
    });
  });
});

import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { makeKey } from "@longhaul/admin";
import { events, type Handler, json, openUpstream } from "@longhaul/fit/testing";
import { type KeyLimits, openStore, type Store } from "@longhaul/store";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { type Gateway, openGateway } from "./gateway.ts";
import { PASSED_PATHS } from "./request/endpoints.ts";

const STATEFUL = PASSED_PATHS.filter(({ isStateful }) => isStateful).map(({ wire, method, template }) => ({
  method,
  path: `/v1${template.replace(/\{\w+\}/g, "id_1")}`,
  headers: wire === "anthropic-messages" ? { "anthropic-version": "2023-06-01" } : {},
}));

const USAGE = { prompt_tokens: 1_000_000, completion_tokens: 10, total_tokens: 1_000_010 };

describe("requests that are passed on for gateway keys", () => {
  let folder: string;
  let store: Store;
  const closers: (() => Promise<void>)[] = [];
  beforeEach(async () => {
    folder = mkdtempSync(join(tmpdir(), "longhaul-pass-"));
    store = await openStore({ path: join(folder, "longhaul.db"), nowMs: Date.now });
  });
  afterEach(async () => {
    for (const close of closers.splice(0).reverse()) await close();
    await store.close();
    rmSync(folder, { recursive: true });
  });

  async function addKey(name: string, limits: KeyLimits = {}): Promise<string> {
    const { key, stored } = makeKey({ name, limits, createdAtMs: Date.now() });
    await store.keys.create(stored);
    return key;
  }

  async function open({ handler = json({ ok: true }), server = {}, apiKey = "operators" }: Opening = {}) {
    const upstream = await openUpstream(handler);
    const own = apiKey === "" ? {} : { apiKey };
    const gateway = await openGateway({
      file: {
        server: { port: 0, drainSeconds: 1, ...server },
        store: { path: join(folder, "longhaul.db") },
        upstreams: {
          claude: { kind: "anthropic", baseUrl: upstream.url, ...own },
          gpt: { kind: "openai", baseUrl: `${upstream.url}/v1`, ...own },
        },
        routes: [
          { match: "claude-*", upstream: "claude" },
          { match: "*", upstream: "gpt" },
        ],
      },
    });
    closers.push(upstream.close, () => gateway.close());
    return { gateway, seen: upstream.seen };
  }

  async function ask({ url }: Gateway, { method = "POST", path, headers, body = {} }: Asking) {
    const type = { "content-type": "application/json" };
    const sent = method === "POST" ? { body: JSON.stringify(body) } : {};
    const answer = await fetch(`${url}${path}`, { method, headers: { ...type, ...headers }, ...sent });
    return { status: answer.status, text: await answer.text() };
  }

  it("rejects every stateful path with the operator's credential and names the setting", async () => {
    const key = await addKey("a");
    const { gateway, seen } = await open();
    for (const { method, path, headers } of STATEFUL) {
      const answer = await ask(gateway, { method, path, headers: { ...headers, "x-longhaul-key": key } });
      expect([method, path, answer.status]).toEqual([method, path, 403]);
      const { error, type } = JSON.parse(answer.text);
      expect(error.message).toContain("server.statefulEndpoints");
      expect(type).toBe("anthropic-version" in headers ? "error" : undefined);
    }
    expect(seen).toEqual([]);
  });

  it("passes stateful paths on with the client's own vendor credential", async () => {
    const key = await addKey("a");
    const { gateway, seen } = await open({ apiKey: "" });
    const headers = { "x-longhaul-key": key, authorization: "Bearer clients-own" };
    expect((await ask(gateway, { method: "GET", path: "/v1/files", headers })).status).toBe(200);
    expect(seen[0]?.headers.authorization).toBe("Bearer clients-own");
  });

  it("never lets a client choose the organization or project of the operator's account", async () => {
    const key = await addKey("a");
    const { gateway, seen } = await open();
    const chosen = {
      "openai-organization": "org-other",
      "openai-project": "proj-other",
      "x-goog-user-project": "other",
    };
    for (const path of ["/v1/embeddings", "/v1/chat/completions", "/v1/responses"]) {
      await ask(gateway, {
        path,
        headers: { ...chosen, "x-longhaul-key": key },
        body: { model: "gpt-4o", input: "hi" },
      });
    }
    expect(seen.length).toBeGreaterThan(0);
    expect(JSON.stringify(seen)).not.toContain("other");
  });

  it("passes stateful paths on if the operator shares them", async () => {
    const key = await addKey("a");
    const { gateway, seen } = await open({ server: { statefulEndpoints: "shared" } });
    expect((await ask(gateway, { method: "GET", path: "/v1/files", headers: { "x-api-key": key } })).status).toBe(200);
    expect(seen[0]?.headers.authorization).toBe("Bearer operators");
  });

  it("passes stateful paths on if no key is required", async () => {
    const { gateway, seen } = await open();
    expect((await ask(gateway, { method: "GET", path: "/v1/files", headers: {} })).status).toBe(200);
    expect(seen).toHaveLength(1);
  });

  it.each([
    ["one body", json({ choices: [{ text: "a" }], usage: USAGE })],
    ["a stream", events(`data: ${JSON.stringify({ choices: [], usage: USAGE })}\n\n`, "data: [DONE]\n\n")],
  ])("counts the cost of a completion in %s against the key's limit and logs it", async (_, handler) => {
    const key = await addKey("a", { usdPerDay: 0.01 });
    const { gateway } = await open({ handler });
    const completion = {
      path: "/v1/completions",
      headers: { authorization: `Bearer ${key}` },
      body: { model: "gpt-4o" },
    };
    expect((await ask(gateway, completion)).status).toBe(200);
    await expect.poll(async () => (await ask(gateway, completion)).status).toBe(429);
    const found = async () => (await store.events.requests({ limit: 10 })).find(({ status }) => status === 200);
    await expect
      .poll(found)
      .toMatchObject({ model: "gpt-4o", upstream: "gpt", inputTokens: 1_000_000, outputTokens: 10 });
    expect((await found())?.costUsd).toBeGreaterThan(0.01);
  });

  it("logs an upstream's refusal with its code", async () => {
    const key = await addKey("a");
    const { gateway } = await open({ handler: json({ error: { message: "no" } }, 400) });
    const headers = { authorization: `Bearer ${key}` };
    expect((await ask(gateway, { path: "/v1/embeddings", headers, body: { model: "gpt-4o" } })).status).toBe(400);
    const found = async () => (await store.events.requests({ limit: 10 }))[0];
    await expect.poll(found).toMatchObject({ status: 400, errorCode: "upstream.refused" });
  });

  it("counts tokens in the gateway once a key has used up its requests", { retry: 2 }, async () => {
    const key = await addKey("a", { requestsPerMinute: 1 });
    const { gateway, seen } = await open({ handler: json({ input_tokens: 7 }) });
    const headers = { "x-api-key": key, "anthropic-version": "2023-06-01" };
    const body = { model: "claude-sonnet-4-5", messages: [{ role: "user", content: "hello" }] };
    const counts = [];
    for (let at = 0; at < 3; at++) {
      const answer = await ask(gateway, { path: "/v1/messages/count_tokens", headers, body });
      counts.push([answer.status, JSON.parse(answer.text).input_tokens > 0]);
    }
    expect(counts).toEqual([
      [200, true],
      [200, true],
      [200, true],
    ]);
    expect(seen).toHaveLength(1);
  });

  describe("stored responses of the vendor", () => {
    const RESPONSE = { id: "resp_vendor_a", object: "response", status: "completed", output: [] };
    const started = `event: response.created\ndata: ${JSON.stringify({ type: "response.created", response: RESPONSE })}\n\n`;
    const ended = `event: response.completed\ndata: ${JSON.stringify({ type: "response.completed", response: RESPONSE })}\n\n`;

    it.each([
      ["one body", json(RESPONSE), false],
      ["a stream", events(started.slice(0, 60), started.slice(60), ended), true],
    ])("can be continued only by the tenant that got them in %s", async (_, handler, stream) => {
      const [first, second] = [await addKey("a"), await addKey("b")];
      const { gateway, seen } = await open({ handler });
      const body = { model: "gpt-4o", input: "hi", stream };
      const respond = (key: string, more: object) =>
        ask(gateway, {
          path: "/v1/responses",
          headers: { authorization: `Bearer ${key}` },
          body: { ...body, ...more },
        });
      expect((await respond(first, {})).status).toBe(200);
      const goOn = { previous_response_id: RESPONSE.id };
      expect((await respond(first, goOn)).status).toBe(200);
      expect(seen).toHaveLength(2);
      const refused = await respond(second, goOn);
      expect([refused.status, JSON.parse(refused.text).error]).toMatchObject([400, { param: "previous_response_id" }]);
      expect((await respond(second, { conversation: "conv_1" })).status).toBe(403);
      expect(seen).toHaveLength(2);
    });

    it("are recognized however the field is written", async () => {
      const key = await addKey("a");
      const { gateway, seen } = await open({ handler: json(RESPONSE) });
      const headers = { authorization: `Bearer ${key}`, "content-type": "application/json" };
      for (const field of ["previous_response_id", "previous\\u005fresponse_id", "\\u0070revious_response_id"]) {
        const named = `"model":"gpt-4o","input":"hi","${field}":"resp_of_somebody"`;
        const twice = `${named},"previous_response_id":null`;
        for (const path of ["/v1/responses", "/v1/responses/compact", "/v1/responses/input_tokens"]) {
          for (const body of [`{${named}}`, `{${twice}}`, `\ufeff{${named}}`, `{${named},"top_p":NaN}`]) {
            const answer = await fetch(`${gateway.url}${path}`, { method: "POST", headers, body });
            expect([path, body, answer.status]).toEqual([path, body, 400]);
            await answer.text();
          }
        }
      }
      expect(seen).toEqual([]);
    });

    it("are not owned by a client that makes a server repeat their ids", async () => {
      const [first, second] = [await addKey("a"), await addKey("b")];
      const repeat: Handler = ({ body }, response) => {
        const { metadata = {}, stream = false } = JSON.parse(body);
        const answer = JSON.stringify({ metadata, ...RESPONSE });
        response.writeHead(200, { "content-type": stream ? "text/event-stream" : "application/json" });
        response.end(
          stream ? `event: response.completed\ndata: {"type":"response.completed","response":${answer}}\n\n` : answer,
        );
      };
      const { gateway, seen } = await open({ handler: repeat });
      const respond = (key: string, more: object) =>
        ask(gateway, {
          path: "/v1/responses",
          headers: { authorization: `Bearer ${key}` },
          body: { model: "gpt-4o", input: "hi", ...more },
        });
      const stolen = { id: "resp_of_a", response: { id: "resp_of_a" } };
      for (const stream of [false, true]) await respond(second, { metadata: stolen, stream });
      await respond(first, {});
      expect(seen).toHaveLength(3);
      expect((await respond(second, { previous_response_id: "resp_of_a" })).status).toBe(400);
      expect(seen).toHaveLength(3);
    });

    it("can be continued by every tenant if the operator shares them", async () => {
      const key = await addKey("a");
      const { gateway } = await open({ handler: json(RESPONSE), server: { statefulEndpoints: "shared" } });
      const body = { model: "gpt-4o", input: "hi", previous_response_id: "resp_of_somebody" };
      const headers = { authorization: `Bearer ${key}` };
      expect((await ask(gateway, { path: "/v1/responses", headers, body })).status).toBe(200);
    });
  });
});

interface Opening {
  readonly handler?: Handler;
  readonly server?: object;
  readonly apiKey?: string;
}

interface Asking {
  readonly method?: string;
  readonly path: string;
  readonly headers: Readonly<Record<string, string>>;
  readonly body?: object;
}

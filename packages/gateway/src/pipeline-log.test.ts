import { createServer } from "node:http";
import { type AddressInfo, connect } from "node:net";
import { openScanner } from "@longhaul/fit";
import { events, type Handler, json, openUpstream } from "@longhaul/fit/testing";
import { parseConfig } from "@longhaul/settings";
import { afterEach, describe, expect, it } from "vitest";
import { makeSnapshots } from "./configuration/snapshot.ts";
import { openGateway } from "./gateway.ts";
import type { ServerContext } from "./http/exchange.ts";
import { makeGate } from "./http/gate.ts";
import { serveRequest } from "./pipeline.ts";
import { OPEN_ACCESS } from "./testing/access.ts";
import { makeMemory } from "./testing/memory.ts";
import { makeSnapshot } from "./testing/snapshot.ts";

const closers: (() => Promise<void>)[] = [];
afterEach(async () => {
  for (const close of closers.splice(0).reverse()) await close();
});

/** A gateway before one Anthropic upstream, with its log. */
async function openLogged(handler: Handler, upstream: object = {}) {
  const lines: string[] = [];
  const { url: baseUrl, close } = await openUpstream(handler);
  const config = parseConfig(
    {
      server: { port: 0 },
      upstreams: { up: { kind: "anthropic", baseUrl, maxRetries: 0, ...upstream } },
      routes: [{ match: "claude-*", upstream: "up" }],
    },
    {},
  );
  const gateway = await openGateway({ file: config }, { writeLog: (line) => void lines.push(line) });
  closers.push(close, () => gateway.close());
  return { url: gateway.url, lines, logged: () => lines.map((line) => JSON.parse(line)) };
}

function post(url: string, body: string, headers: Record<string, string> = {}): Promise<Response> {
  return fetch(url, { method: "POST", body, headers });
}

const BODY = '{"model":"claude-opus-4-6","max_tokens":9,"messages":[{"role":"user","content":"hi"}]}';

/** Serves requests with handles that lead to a bug. */
async function openBroken(lines: string[], more: Partial<ServerContext> = {}) {
  const file = { upstreams: { u: { kind: "anthropic" } }, routes: [{ match: "*", upstream: "u" }] };
  const snapshot = makeSnapshot(file, lines);
  const broken = { ...snapshot, handles: new Map([["u", [{}]]]) } as unknown as typeof snapshot;
  const context = {
    snapshots: makeSnapshots(broken),
    gate: makeGate(() => 1),
    memory: await makeMemory(),
    scanner: openScanner(),
    access: OPEN_ACCESS,
    ...more,
  };
  const answered = Promise.withResolvers<void>();
  const server = createServer((request, response) =>
    serveRequest(request, response, context).then(answered.resolve, answered.reject),
  );
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  closers.push(snapshot.close, async () => {
    await new Promise((resolve) => server.close(resolve));
  });
  const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}/v1/messages`;
  return { url, answered: answered.promise };
}

it("logs the failure of an observer and goes on", async () => {
  const lines: string[] = [];
  const fail = () => {
    throw new TypeError("no room");
  };
  const observer = { finished: fail, condensed: fail };
  const observing = { observer, metrics: async () => undefined, close: async () => {} };
  const { url, answered } = await openBroken(lines, { observing });
  const { status } = await fetch(url, { method: "POST", body: "{}", headers: { connection: "close" } });
  await expect(answered).resolves.toBeUndefined();
  const logged = lines.map((line) => JSON.parse(line));
  expect([status, logged.at(-1)]).toMatchObject([
    400,
    { level: 50, stack: expect.stringMatching(/^TypeError: no room\n/) },
  ]);
});

it("answers a bug with 500 and writes the details only to the log", async () => {
  const lines: string[] = [];
  const { url } = await openBroken(lines);
  const response = await fetch(url, {
    method: "POST",
    body: '{"model":"claude-opus-4-6","messages":[]}',
    headers: { connection: "close" },
  });
  expect([response.status, await response.json()]).toMatchObject([
    500,
    { type: "error", error: { type: "api_error" } },
  ]);
  const logged = lines.map((line) => JSON.parse(line));
  expect(logged).toMatchObject([
    { level: 40, status: 500, error: "internal.bug", wire: "anthropic-messages" },
    { level: 50, stack: expect.stringMatching(/^TypeError: .*\n\s+at /) },
  ]);
  expect(logged[0].id).toBe(response.headers.get("x-longhaul-request-id"));
  expect(logged[1].id).toBe(logged[0].id);
});

describe("the log", () => {
  it("has one line per request, with its usage", async () => {
    const stream = [
      'event: message_start\ndata: {"type":"message_start","message":{"id":"m","type":"message","role":"assistant","model":"x","content":[],"usage":{"input_tokens":3,"output_tokens":1}}}\n\n',
      'event: content_block_start\ndata: {"type":"content_block_start","index":0,"content_block":{"type":"text","text":""}}\n\n',
      'event: message_delta\ndata: {"type":"message_delta","delta":{},"usage":{"output_tokens":7}}\n\n',
      'event: message_stop\ndata: {"type":"message_stop"}\n\n',
    ];
    const { url, logged } = await openLogged(events(...stream));
    const response = await post(`${url}/v1/messages`, BODY);
    await response.text();
    expect(logged()).toEqual([
      {
        level: 30,
        time: expect.any(String),
        id: response.headers.get("x-longhaul-request-id"),
        wire: "anthropic-messages",
        action: "generate",
        model: "claude-opus-4-6",
        upstream: "up",
        status: 200,
        ms: expect.any(Number),
        firstByteMs: expect.any(Number),
        inputTokens: 3,
        cacheReadTokens: 0,
        cacheWriteTokens: 0,
        outputTokens: 7,
        msg: "request finished",
      },
    ]);
  });

  it("has warnings, errors and reasons, and no lines for pages", async () => {
    const { url, logged } = await openLogged((_, response) => response.destroy());
    await fetch(`${url}/healthz`);
    await fetch(`${url}/nowhere`);
    await post(`${url}/v1/messages`, "{");
    const chat = { model: "claude-opus-4-6", seed: 1, messages: [{ role: "user", content: "hi" }] };
    await post(`${url}/v1/chat/completions`, JSON.stringify(chat));
    expect(logged()).toMatchObject([
      { status: 404, error: "route.unknown", why: expect.stringContaining("GET /nowhere") },
      { status: 400, error: "request.malformed", action: "generate" },
      { level: 40, status: 502, error: "upstream.unreachable", why: expect.stringContaining('"up"'), upstream: "up" },
    ]);
    expect(logged()[2].warnings).toContain("sampling.seed");
    expect(logged()[1]).not.toHaveProperty("why");
  });

  it("does not repeat an upstream's error message", async () => {
    const refusal = { error: { type: "overloaded_error", message: "you said: hush" } };
    const inStream = events(`event: error\ndata: ${JSON.stringify({ type: "error", ...refusal })}\n\n`);
    for (const handler of [json(refusal, 529), inStream, json({ type: "error", ...refusal }, 504)]) {
      const { url, lines } = await openLogged(handler);
      for (const path of ["/v1/messages", "/v1/chat/completions"]) await (await post(url + path, BODY)).text();
      expect(lines).toHaveLength(2);
      expect(lines.filter((line) => line.includes("hush"))).toEqual([]);
    }
  });

  it("marks a client that disconnected", async () => {
    const { promise: isReached, resolve: reached } = Promise.withResolvers<void>();
    const { url, logged } = await openLogged(() => reached());
    const abort = new AbortController();
    const asked = fetch(`${url}/v1/messages`, { method: "POST", body: BODY, signal: abort.signal });
    await isReached;
    abort.abort();
    await expect(asked).rejects.toThrow();
    await expect.poll(logged).toMatchObject([{ isGone: true, upstream: "up" }]);
  });

  it("contains no keys, headers and bodies, and errors contain no keys and headers", async () => {
    const [key, header, said] = ["hush-key-0123456789", "hush-header-0123456789", "hush-said-0123456789"];
    const echo: Handler = (seen, response) =>
      json({ error: { message: `no: ${seen.headers["x-api-key"]}` } }, 401)(seen, response);
    const { url, lines } = await openLogged(echo, { apiKey: key, headers: { "x-more": `${key}-more` } });
    const headers = { authorization: `Bearer ${header}`, "x-api-key": header, "x-other": header, cookie: header };
    const message = { role: "user", content: said };
    const bodies = [
      JSON.stringify({ model: "claude-opus-4-6", max_tokens: 9, messages: [message] }),
      JSON.stringify({ model: "claude-opus-4-6", messages: [{ ...message, role: said }] }),
      JSON.stringify({ model: "claude-opus-4-6", messages: said, input: 7, contents: said }),
      `{"model":"claude-opus-4-6",${said}`,
      `{"model":${said}}`,
    ];
    const texts: string[] = [];
    for (const path of [
      "/v1/messages",
      "/v1/chat/completions",
      "/v1/responses",
      "/v1beta/models/claude-x:generateContent",
    ]) {
      for (const body of bodies) {
        const response = await post(`${url}${path}?key=${header}`, body, headers);
        expect(response.status).toBeGreaterThanOrEqual(400);
        texts.push(await response.text());
      }
    }
    expect(lines.filter((line) => line.includes("request finished"))).toHaveLength(20);
    expect(lines.filter((line) => line.includes("hush"))).toEqual([]);
    // Only the client that sent an invalid value gets it back.
    expect(texts.filter((text) => /hush-(key|header)/.test(text))).toEqual([]);
  });
});

describe("a request for a WebSocket", () => {
  /** Returns the answer to a handshake, up to the end of the connection. */
  function handshake(url: string, path: string): Promise<string> {
    const head = `GET ${path} HTTP/1.1\r\nHost: localhost\r\nConnection: Upgrade\r\nUpgrade: websocket\r\nSec-WebSocket-Version: 13\r\nSec-WebSocket-Key: eA==\r\n\r\n`;
    return new Promise((resolve) => {
      const socket = connect(Number(new URL(url).port), "127.0.0.1", () => socket.write(head));
      let text = "";
      socket.on("data", (chunk) => {
        text += chunk;
      });
      socket.on("close", () => resolve(text));
    });
  }

  it("is answered with 426 for a Responses client, and the connection is closed", async () => {
    const { url } = await openLogged(json({}));
    const answer = await handshake(url, "/v1/responses");
    expect(answer).toMatch(/^HTTP\/1\.1 426 Upgrade Required\r\n/);
    expect(answer).toContain('{"error":{"message":"WebSockets are not supported; send the same request as a POST"');
  });

  it.each(["/v1/messages", "/v1/models", "/nowhere"])("is answered with 404 at %s", async (path) => {
    const { url } = await openLogged(json({}));
    expect(await handshake(url, path)).toMatch(/^HTTP\/1\.1 404 /);
  });

  it("is not assumed for an offer of HTTP/2", async () => {
    const { url } = await openLogged(json('{"content":[],"stop_reason":"end_turn"}'));
    const answer = await new Promise<string>((resolve) => {
      const socket = connect(Number(new URL(url).port), "127.0.0.1", () =>
        socket.write(
          `POST /v1/messages HTTP/1.1\r\nHost: localhost\r\nConnection: Upgrade, HTTP2-Settings, close\r\nUpgrade: h2c\r\nHTTP2-Settings: AA\r\nContent-Length: ${BODY.length}\r\n\r\n${BODY}`,
        ),
      );
      let text = "";
      socket.on("data", (chunk) => {
        text += chunk;
      });
      socket.on("close", () => resolve(text));
    });
    expect(answer).toMatch(/^HTTP\/1\.1 200 OK.*\{"content":\[\]/s);
  });
});

import { request } from "node:http";
import { connect } from "node:net";
import { gzipSync } from "node:zlib";
import { anthropicError, events, type Handler, json, openUpstream } from "@longhaul/fit/testing";
import { type Config, parseConfig } from "@longhaul/settings";
import { afterEach, describe, expect, it } from "vitest";
import { type Gateway, openGateway } from "./gateway.ts";

const closers: (() => Promise<void>)[] = [];
afterEach(async () => {
  for (const close of closers.splice(0).reverse()) await close();
});

function configOf(urls: readonly string[], server: Record<string, unknown> = {}): Config {
  const upstreams = Object.fromEntries(
    urls.map((baseUrl, index) => [`up${index}`, { kind: "anthropic", baseUrl, apiKey: `key-${index}` }]),
  );
  const routes = [{ match: "claude-*", upstream: Object.keys(upstreams) }];
  return parseConfig(
    { server: { port: 0, drainSeconds: 5, ...server }, upstreams, routes: urls.length === 0 ? [] : routes },
    {},
  );
}

async function open(config: Config): Promise<Gateway> {
  const gateway = await openGateway({ file: config });
  closers.push(() => gateway.close());
  return gateway;
}

async function upstreamOf(...handlers: Handler[]) {
  const upstream = await openUpstream(...handlers);
  closers.push(upstream.close);
  return upstream;
}

/** Formatted as no serializer of ours would: untouched bytes keep it. */
const BODY =
  '{ "model" : "claude-opus-4-6", "max_tokens": 1.0e1, "messages":[{"role":"user","content":"hi \\u00e9"}] }';
const STREAMED = BODY.replace(" }", ', "stream":true }');
const ANSWER =
  '{ "id":"msg_1","type":"message","role":"assistant","model":"claude-opus-4-6","content":[{"type":"text","text":"1.0"}],"stop_reason":"end_turn","usage":{"input_tokens":1,"output_tokens":1} }';

function post(url: string, body: string | Buffer = BODY, init: RequestInit = {}): Promise<Response> {
  return fetch(`${url}/v1/messages?beta=true`, {
    method: "POST",
    body: typeof body === "string" ? body : new Uint8Array(body),
    headers: { "content-type": "application/json", "x-api-key": "client" },
    ...init,
  });
}

describe("pages without a model", () => {
  it.each([
    ["GET", "/healthz?probe=1", 200],
    ["HEAD", "/healthz", 200],
    ["GET", "/readyz", 200],
    ["HEAD", "/", 200],
    ["HEAD", "/api/hello", 200],
    ["GET", "/nowhere", 404],
    ["POST", "/healthz", 404],
  ])("%s %s answers %d", async (method, path, status) => {
    const { url } = await open(configOf([]));
    expect((await fetch(url + path, { method })).status).toBe(status);
  });

  it("names the method of a path that exists", async () => {
    const { url } = await open(configOf([]));
    const answers = [fetch(`${url}/v1/messages`), fetch(`${url}/v1/models`, { method: "PUT" })];
    const errors = await Promise.all(answers.map(async (answer) => await (await answer).json()));
    expect(errors).toMatchObject([
      { error: { message: "GET /v1/messages not found; use POST" } },
      { error: { message: "PUT /v1/models not found; use GET" } },
    ]);
  });

  it("answers an unknown path with 404 and names the health check", async () => {
    const { url } = await open(configOf([]));
    const response = await fetch(`${url}/nowhere`);
    expect(await response.json()).toEqual({
      error: {
        code: "route.unknown",
        message:
          "GET /nowhere not found; set the client's base URL to the gateway's address, with /v1 for OpenAI clients",
      },
    });
  });
});

it.each([
  ["POST", "/v1/messages/nope", { type: "error", error: { type: "not_found_error" } }],
  ["POST", "/v1/nope", { error: { type: "invalid_request_error", param: null } }],
  ["GET", "/v1beta/nope", { error: { code: 404, status: "NOT_FOUND" } }],
])("answers %s %s with 404 in the client's dialect", async (method, path, body) => {
  const { url } = await open(configOf([]));
  const response = await fetch(url + path, { method });
  expect({ status: response.status, body: await response.json() }).toMatchObject({ status: 404, body });
});

describe("a request of the upstream's own format", () => {
  it("is sent and answered byte for byte", async () => {
    const upstream = await upstreamOf(
      json(ANSWER, 200, { "request-id": "req_up", "anthropic-ratelimit-tokens-remaining": "5" }),
    );
    const { url } = await open(configOf([upstream.url]));
    const response = await post(url, BODY, {
      headers: { "x-api-key": "client", "anthropic-version": "2023-06-01", "anthropic-beta": "a,b" },
    });
    expect(await response.text()).toBe(ANSWER);
    expect(upstream.seen[0]).toMatchObject({ method: "POST", path: "/v1/messages", body: BODY });
    expect(upstream.seen[0]?.headers).toMatchObject({
      "x-api-key": "key-0",
      "anthropic-version": "2023-06-01",
      "anthropic-beta": "a,b",
    });
    expect([response.headers.get("request-id"), response.headers.get("anthropic-ratelimit-tokens-remaining")]).toEqual([
      "req_up",
      "5",
    ]);
    expect(response.headers.get("x-longhaul-request-id")).toMatch(/^lh_[0-9a-f]{32}$/);
  });

  it("is streamed byte for byte, including comments and odd spacing", async () => {
    const stream = [
      'event: message_start\ndata: {"type":"message_start","message":{"id":"m","type":"message","role":"assistant","model":"x","content":[],"stop_reason":null,"usage":{"input_tokens":3,"output_tokens":1}}}\n\n',
      ': a comment\n\nevent: content_block_start\ndata:  {"type":"content_block_start","index":0,"content_block":{"type":"text","text":""}}\n\n',
      'event: content_block_delta\ndata: {"type":"content_block_delta","index":0,"delta":{"type":"text_delta","text":"höher 😀"}}\n\n',
      'event: message_stop\ndata: {"type":"message_stop"}\n\n',
    ];
    const upstream = await upstreamOf(events(...stream));
    const { url } = await open(configOf([upstream.url]));
    const response = await post(url, STREAMED);
    expect(response.headers.get("content-type")).toBe("text/event-stream");
    expect(await response.text()).toBe(stream.join(""));
  });

  it("accepts a compressed body", async () => {
    const upstream = await upstreamOf(json(ANSWER));
    const { url } = await open(configOf([upstream.url]));
    const response = await post(url, gzipSync(BODY), {
      headers: { "content-encoding": "gzip", "content-type": "application/json" },
    });
    expect(response.status).toBe(200);
    expect(upstream.seen[0]?.body).toBe(BODY);
  });

  it("gets the upstream's error byte for byte", async () => {
    const error = anthropicError(400, "invalid_request_error", "prompt is too long: 204826 tokens > 200000 maximum");
    const upstream = await upstreamOf(json(error, 400, { "request-id": "req_up" }));
    const { url } = await open(configOf([upstream.url]));
    const response = await post(url);
    expect([response.status, await response.text()]).toEqual([400, error]);
    expect(upstream.seen).toHaveLength(1);
  });
});

describe("a Gemini client's stream", () => {
  const reply = (text: string) =>
    JSON.stringify({ candidates: [{ content: { role: "model", parts: [{ text }] }, finishReason: "STOP" }] });

  it.each([
    ["", "application/json; charset=UTF-8", `[${reply("a")},\r\n${reply("b")}]`],
    ["?alt=sse", "text/event-stream", `data: ${reply("a")}\n\ndata: ${reply("b")}\n\n`],
  ])("with the query %j has the type %s", async (query, type, body) => {
    const upstream = await upstreamOf(events(`data: ${reply("a")}\n\ndata: ${reply("b")}\n\n`));
    const config = {
      upstreams: { g: { kind: "gemini", baseUrl: upstream.url } },
      routes: [{ match: "*", upstream: "g" }],
    };
    const { url } = await open(parseConfig({ server: { port: 0 }, ...config }, {}));
    const response = await fetch(`${url}/v1beta/models/gemini-2.5-pro:streamGenerateContent${query}`, {
      method: "POST",
      body: '{"contents":[{"role":"user","parts":[{"text":"hi"}]}]}',
    });
    expect([response.headers.get("content-type"), await response.text()]).toEqual([type, body]);
    expect(upstream.seen[0]?.path).toBe("/v1beta/models/gemini-2.5-pro:streamGenerateContent?alt=sse");
  });
});

describe("when an upstream fails", () => {
  const overloaded = json(anthropicError(529, "overloaded_error", "Overloaded"), 529, { "retry-after-ms": "1" });

  it("retries when the upstream asks for it", async () => {
    const upstream = await upstreamOf(overloaded, overloaded, json(ANSWER));
    const { url } = await open(configOf([upstream.url]));
    expect(await (await post(url)).text()).toBe(ANSWER);
    expect(upstream.seen).toHaveLength(3);
  });

  it("tries the next upstream of the route with its own key", async () => {
    const first = await upstreamOf(json(anthropicError(401, "authentication_error", "bad key"), 401));
    const second = await upstreamOf(json(ANSWER));
    const { url } = await open(configOf([first.url, second.url]));
    expect((await post(url)).status).toBe(200);
    expect([first.seen.length, second.seen[0]?.headers["x-api-key"]]).toEqual([1, "key-1"]);
  });

  it("does not try another upstream if the request itself is wrong", async () => {
    const first = await upstreamOf(
      json(anthropicError(400, "invalid_request_error", "max_tokens: Field required"), 400),
    );
    const second = await upstreamOf(json(ANSWER));
    const { url } = await open(configOf([first.url, second.url]));
    expect((await post(url)).status).toBe(400);
    expect(second.seen).toHaveLength(0);
  });

  it("answers an error at the start of a stream with its status, or tries the next upstream", async () => {
    const broken = events(
      'event: error\ndata: {"type":"error","error":{"type":"overloaded_error","message":"Overloaded"}}\n\n',
    );
    const first = await upstreamOf(broken);
    const second = await upstreamOf(json(ANSWER));
    const { url } = await open(configOf([first.url, second.url]));
    expect(await (await post(url)).text()).toBe(ANSWER);
    const alone = await open(configOf([first.url]));
    const response = await post(alone.url);
    expect([response.status, await response.json()]).toMatchObject([
      529,
      { type: "error", error: { type: "overloaded_error" } },
    ]);
  });

  it("ends a broken stream with an error event in the client's dialect", async () => {
    const { promise: isRead, resolve: read } = Promise.withResolvers<void>();
    const upstream = await upstreamOf((_, response) => {
      response.writeHead(200, { "content-type": "text/event-stream" });
      response.write(
        'event: message_start\ndata: {"type":"message_start","message":{"id":"m","type":"message","role":"assistant","model":"x","content":[],"usage":{"input_tokens":3,"output_tokens":1}}}\n\n',
      );
      response.write(
        'event: content_block_start\ndata: {"type":"content_block_start","index":0,"content_block":{"type":"text","text":""}}\n\n',
      );
      void isRead.then(() => response.destroy());
    });
    const { url } = await open(configOf([upstream.url]));
    let text = "";
    for await (const chunk of (await post(url, STREAMED)).body ?? []) {
      text += Buffer.from(chunk).toString();
      if (text.includes("message_start")) read();
    }
    expect(text).toMatch(
      /event: error\ndata: \{"type":"error","error":\{"type":"api_error","message":"upstream \\"up0\\" ended its response early/,
    );
  });

  it("reports an unreachable upstream in the client's dialect", async () => {
    const upstream = await openUpstream(json(ANSWER));
    await upstream.close();
    const { url } = await open(configOf([upstream.url]));
    const response = await post(url);
    expect([response.status, await response.json()]).toMatchObject([
      502,
      { type: "error", error: { type: "api_error", message: expect.stringContaining('"up0"') } },
    ]);
  });

  it("aborts the upstream call when the client disconnects", async () => {
    const abort = new AbortController();
    const { promise: gone, resolve: leave } = Promise.withResolvers<void>();
    const upstream = await upstreamOf((_, response) => {
      response.on("close", leave);
      response.writeHead(200, { "content-type": "text/event-stream" });
      response.write('event: ping\ndata: {"type":"ping"}\n\n', () => abort.abort());
    });
    const { url } = await open(configOf([upstream.url]));
    await expect(post(url, STREAMED, { signal: abort.signal })).rejects.toThrow();
    await gone;
  });
});

describe("rejected requests", () => {
  it.each([
    ["is not JSON", "{oops", 400, "not valid JSON"],
    ["is a list", "[1]", 400, "must be a JSON object"],
    ["names no model", '{"messages":[]}', 400, "model: must be a non-empty string"],
    ["names a model that no route serves", '{"model":"llama","messages":[]}', 404, 'no route serves the model "llama"'],
  ])("include a body that %s", async (_, body, status, message) => {
    const { url } = await open(configOf(["http://127.0.0.1:9"]));
    const response = await post(url, body);
    expect([response.status, await response.json()]).toMatchObject([
      status,
      { type: "error", error: { message: expect.stringContaining(message) } },
    ]);
  });

  it("include a body over the limit", async () => {
    const { url } = await open(configOf(["http://127.0.0.1:9"], { bodyLimitMiB: 1 }));
    const response = await post(url, "x".repeat(1_100_000));
    expect([response.status, await response.json()]).toMatchObject([413, { error: { type: "request_too_large" } }]);
  });

  it("include a foreign host", async () => {
    const { url } = await open(configOf([]));
    expect(await askHost(url, "evil.example")).toMatch(/^HTTP\/1.1 403 .*server\.hosts/s);
  });
});

it("accepts the host that it listens on and the configured ones", async () => {
  const { reload, url } = await open(configOf([]));
  reload({ file: configOf([], { host: "gateway.internal", hosts: ["other.internal"] }) });
  for (const host of ["gateway.internal", "other.internal:80", "localhost"]) {
    expect(await askHost(url, host)).toMatch(/^HTTP\/1.1 200 /);
  }
});

/** Returns the answer to a request with this host. */
function askHost(url: string, host: string): Promise<string> {
  return new Promise((resolve) => {
    const socket = connect(Number(new URL(url).port), "127.0.0.1", () =>
      socket.write(`GET /healthz HTTP/1.1\r\nHost: ${host}\r\nConnection: close\r\n\r\n`),
    );
    let text = "";
    socket.on("data", (chunk) => {
      text += chunk;
    });
    socket.on("close", () => resolve(text));
  });
}

describe("limits and stopping", () => {
  /** An upstream that answers on demand. */
  async function makePatient() {
    let answer = () => {};
    let reached = () => {};
    const isReached = new Promise<void>((resolve) => {
      reached = resolve;
    });
    const upstream = await upstreamOf((seen, response) => {
      answer = () => json(ANSWER)(seen, response);
      reached();
    });
    return { upstream, isReached, answer: () => answer() };
  }

  it("rejects requests over the limit with retry-after", async () => {
    const { upstream, isReached, answer } = await makePatient();
    const { url } = await open(configOf([upstream.url], { maxRequests: 1 }));
    const first = post(url);
    await isReached;
    const second = await post(url);
    expect([second.status, second.headers.get("retry-after")]).toEqual([503, "1"]);
    answer();
    expect((await first).status).toBe(200);
  });

  it("finishes requests in flight on close and rejects new ones", async () => {
    const { upstream, isReached, answer } = await makePatient();
    const gateway = await openGateway({ file: configOf([upstream.url]) });
    const asked = post(gateway.url);
    await isReached;
    const closed = gateway.close();
    expect((await fetch(`${gateway.url}/readyz`)).status).toBe(503);
    expect((await post(gateway.url)).status).toBe(503);
    answer();
    expect(await (await asked).text()).toBe(ANSWER);
    await closed;
    await expect(fetch(`${gateway.url}/healthz`)).rejects.toThrow();
  });

  it("swaps its configuration, and keeps the old one if the new one is invalid", async () => {
    const first = await upstreamOf(json(ANSWER));
    const second = await upstreamOf(json(ANSWER));
    const gateway = await open(configOf([first.url]));
    expect(() => gateway.reload({ file: { ...configOf([second.url]), models: { x: { window: -1 } } } })).toThrow();
    await post(gateway.url);
    gateway.reload({ file: configOf([second.url]) });
    await post(gateway.url);
    expect([first.seen.length, second.seen.length]).toEqual([1, 1]);
  });

  it("serves a request with the configuration at its arrival, even after a reload", async () => {
    const first = await upstreamOf(json(ANSWER));
    const second = await upstreamOf(json(ANSWER));
    const gateway = await open(configOf([first.url]));
    const begun = begin(gateway.url);
    await begun.isUnderWay;
    gateway.reload({ file: configOf([second.url]) });
    expect((await begun.finish()).status).toBe(200);
    expect([first.seen.length, second.seen.length]).toEqual([1, 0]);
  });

  it("logs the changes of a reload", async () => {
    const lines: string[] = [];
    const gateway = await openGateway({ file: configOf([]) }, { writeLog: (line) => void lines.push(line) });
    closers.push(() => gateway.close());
    gateway.reload({ file: configOf(["http://127.0.0.1:9"]) });
    expect(lines.map((line) => JSON.parse(line))).toMatchObject([
      { msg: "configuration reloaded", changed: ["upstreams", "routes"] },
    ]);
  });
});

/** A request whose head has arrived and whose body has not. */
function begin(url: string) {
  const sent = request(`${url}/v1/messages`, { method: "POST", headers: { expect: "100-continue" } });
  const answered = new Promise<{ status: number }>((resolve, reject) => {
    sent.on("error", reject);
    sent.on("response", (response) => {
      response.resume();
      resolve({ status: response.statusCode ?? 0 });
    });
  });
  // The server asks for the body when it starts to handle the request.
  const isUnderWay = new Promise((resolve) => sent.on("continue", resolve));
  sent.flushHeaders();
  const finish = () => {
    sent.end(BODY);
    return answered;
  };
  return { isUnderWay, finish };
}

describe("openGateway", () => {
  it("explains what to do if the port is taken", async () => {
    const { url } = await open(configOf([]));
    const port = Number(new URL(url).port);
    await expect(openGateway({ file: configOf([], { port }) })).rejects.toMatchObject({
      code: "settings.invalid",
      message: `cannot listen on 127.0.0.1:${port}: another program uses this port; choose another one with --port or PORT`,
    });
  });

  it("explains what to do if the address is foreign", async () => {
    await expect(openGateway({ file: configOf([], { host: "192.0.2.1", keys: "required" }) })).rejects.toMatchObject({
      code: "settings.invalid",
      message: expect.stringContaining("choose one of its own with --host"),
    });
  });
});

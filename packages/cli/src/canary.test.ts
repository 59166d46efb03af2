import { mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { createServer, type IncomingHttpHeaders, type RequestListener } from "node:http";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { openStore } from "@longhaul/store";
import { afterAll, afterEach, describe, expect, it } from "vitest";
import { stringify } from "yaml";
import { run } from "./program.ts";
import { makeTerminal } from "./testing/terminal.ts";

const folder = mkdtempSync(join(tmpdir(), "longhaul-"));
afterAll(() => rmSync(folder, { recursive: true }));
const closers: (() => Promise<void>)[] = [];
afterEach(async () => {
  for (const close of closers.splice(0).reverse()) await close();
});

/** Secrets that must not appear anywhere. */
const SECRETS = {
  upstreamKey: "hush-upstream-key-01",
  upstreamHeader: "hush-upstream-header-02",
  upstreamPassword: "hush-upstream-password-03",
  collectorHeader: "hush-collector-header-04",
  collectorPassword: "hush-collector-password-05",
  clientBearer: "hush-client-bearer-06",
  clientKey: "hush-client-key-07",
  queryKey: "hush-query-key-08",
  cookie: "hush-cookie-09",
  adminToken: "hush-admin-token-11-0123456789-0123456789",
} as const;
/** Contents of requests, which may appear only in the client's answers. */
const SAID = "hush-said-10";

async function listen(answer: RequestListener): Promise<string> {
  const server = createServer(answer);
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  closers.push(
    () =>
      new Promise((resolve) => {
        server.close(() => resolve());
        server.closeAllConnections();
      }),
  );
  const address = server.address();
  if (address === null || typeof address === "string") throw new Error("no port");
  return `http://127.0.0.1:${address.port}`;
}

const joinHeaders = (headers: IncomingHttpHeaders) => Object.entries(headers).flat().join(" ");

/** Starts an upstream that rejects requests in several ways and quotes everything that it received. */
function echoing(): RequestListener {
  const statuses = [200, 400, 401, 429, 500, 529];
  let asked = 0;
  return async (request, response) => {
    const chunks: Buffer[] = [];
    for await (const chunk of request) chunks.push(chunk);
    const message = `you sent ${joinHeaders(request.headers)} and ${Buffer.concat(chunks)} to ${request.url}`;
    const status = statuses[asked++ % statuses.length] ?? 200;
    const usage = { input_tokens: 5, output_tokens: 3 };
    const reply = { id: "m", type: "message", role: "assistant", model: "x", stop_reason: "end_turn", usage };
    const text = { ...reply, content: [{ type: "text", text: "Fine." }] };
    const error = { type: "error", error: { type: "invalid_request_error", message } };
    response.writeHead(status, { "content-type": "application/json" });
    response.end(JSON.stringify(status === 200 ? text : error));
  };
}

/** Starts the program with secrets in every setting that accepts one. */
async function start() {
  const sent: string[] = [];
  const collector = await listen(async (request, response) => {
    for await (const chunk of request) sent.push(String(chunk));
    response.end("{}");
  });
  const upstream = await listen(echoing());
  const withPassword = (url: string, password: string) => url.replace("//", `//me:${password}@`);
  const place = { maxRetries: 0, headers: { "x-more": SECRETS.upstreamHeader } };
  const file = join(folder, "longhaul.yaml");
  const storePath = join(folder, "canary.db");
  const config = {
    server: { adminToken: SECRETS.adminToken },
    upstreams: {
      keyed: { ...place, kind: "anthropic", baseUrl: upstream, apiKey: SECRETS.upstreamKey },
      open: { ...place, kind: "anthropic", baseUrl: upstream },
      gone: { ...place, kind: "anthropic", baseUrl: withPassword("http://127.0.0.1:9", SECRETS.upstreamPassword) },
    },
    routes: [
      { match: "claude-opus-*", upstream: "keyed" },
      { match: "claude-sonnet-*", upstream: "open" },
      { match: "claude-haiku-*", upstream: "gone" },
    ],
    telemetry: {
      otlpEndpoint: withPassword(collector, SECRETS.collectorPassword),
      otlpHeaders: { authorization: SECRETS.collectorHeader },
    },
    store: { path: storePath },
    events: { titles: false },
    log: { level: "trace" },
  };
  writeFileSync(file, stringify(config));
  const terminal = makeTerminal(folder, { PORT: "0" });
  const exit = run(["start", "--config", file], terminal);
  const stop = async () => {
    terminal.stop();
    await exit;
  };
  return { url: await terminal.announced, terminal, stop, sent, storePath };
}

const PATHS = ["/v1/messages", "/v1/chat/completions", "/v1/responses", "/v1/messages/count_tokens", "/v1/files"];
const MODELS = ["claude-opus-4-6", "claude-sonnet-4-5", "claude-haiku-4-5", "claude-nobody"];

async function askEverything(url: string): Promise<string[]> {
  const headers = {
    "content-type": "application/json",
    authorization: `Bearer ${SECRETS.clientBearer}`,
    cookie: `session=${SECRETS.cookie}`,
    "x-session-id": "talk-1",
  };
  const answers: string[] = [];
  for (const path of PATHS) {
    for (const model of MODELS) {
      for (const keyed of [headers, { ...headers, "x-api-key": SECRETS.clientKey }]) {
        const message = { role: "user", content: SAID };
        const body = { model, max_tokens: 9, messages: [message], input: [message] };
        const response = await fetch(`${url}${path}?key=${SECRETS.queryKey}`, {
          method: "POST",
          headers: keyed,
          body: JSON.stringify(body),
        });
        answers.push(`${joinHeaders(Object.fromEntries(response.headers))} ${await response.text()}`);
      }
    }
  }
  return answers;
}

/** Reads settings, requests and health from the admin API. */
async function askAdmin(url: string): Promise<string> {
  const headers = { authorization: `Bearer ${SECRETS.adminToken}` };
  const texts: string[] = [];
  for (const path of ["settings", "requests", "events", "profiles", "keys", "health", "openapi.json", "nowhere"]) {
    texts.push(await (await fetch(`${url}/api/${path}`, { headers })).text());
  }
  return texts.join("\n");
}

/** Returns the names of the secrets in a text. */
function leaksIn(text: string): string[] {
  return Object.entries(SECRETS).flatMap(([name, secret]) => (text.includes(secret) ? [name] : []));
}

async function openedEvents(path: string) {
  const store = await openStore({ path, nowMs: Date.now });
  const requests = await store.events.requests({ limit: 1_000 });
  const contents = await Promise.all(requests.map(({ id }) => store.contents.find(id)));
  await store.close();
  return { requests, contents: contents.filter((content) => content !== undefined) };
}

describe("secrets", () => {
  it("never appear in the log, banner, errors, metrics, spans or database", async () => {
    const { url, terminal, stop, sent, storePath } = await start();
    const answers = await askEverything(url);
    const figures = await (await fetch(`${url}/metrics`)).text();
    const lost = await (await fetch(`${url}/nowhere?key=${SECRETS.queryKey}`)).text();
    const admin = await askAdmin(url);
    await stop();
    const { requests, contents } = await openedEvents(storePath);

    const asked = PATHS.length * MODELS.length * 2;
    expect(requests).toHaveLength(asked);
    expect(new Set(requests.map(({ errorCode }) => errorCode)).size).toBeGreaterThan(4);
    expect(terminal.output().match(/"request finished"/g)).toHaveLength(asked + 1);
    expect(figures).toContain("longhaul_requests_total{");
    expect(admin).toContain(`"openapi":`);
    expect(sent.join("")).toContain('"gen_ai.request.model"');
    expect(sent.join("")).toContain('"gen_ai.client.operation.duration"');

    const sinks = {
      printed: terminal.output() + terminal.errors(),
      answers: answers.join("\n") + lost,
      admin,
      figures,
      collector: sent.join("\n"),
      events: JSON.stringify(requests),
      database: readFileSync(storePath, "latin1"),
    };
    expect(Object.entries(sinks).flatMap(([sink, text]) => leaksIn(text).map((name) => `${name} in ${sink}`))).toEqual(
      [],
    );
    const { answers: _, ...others } = sinks;
    expect(Object.entries(others).flatMap(([sink, text]) => (text.includes(SAID) ? [sink] : []))).toEqual([]);
    expect(contents).toEqual([]);
  });
});

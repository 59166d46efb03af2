// Routing by the client's own credential, with nothing configured: a vendor on loopback that requires it, and the simulator for all others.
import { openSimulator, type Simulator } from "@longhaul/simulator";
import fc from "fast-check";
import { afterAll, afterEach, beforeAll, describe, expect, it } from "vitest";
import { type Gateway, openGateway } from "./gateway.ts";

const OAUTH = "sk-ant-oat01-subscriber-token";
const ANTHROPIC = "sk-ant-api03-key-of-claude";
const PROJECT = "sk-proj-key-of-a-project";
const SERVICE = "sk-svcacct-key-of-a-service";
const GOOGLE = "AIzaSy-key-of-gemini";
const NEW_GOOGLE = "AQ.Ab-newer-key.of-gemini";
const KEYS = [OAUTH, ANTHROPIC, PROJECT, SERVICE, GOOGLE, NEW_GOOGLE];

let vendor: Simulator;
let simulator: Simulator;
let gateway: Gateway;
const log: string[] = [];
beforeAll(async () => {
  vendor = await openSimulator({ keys: KEYS });
  simulator = await openSimulator();
  gateway = await open({
    ANTHROPIC_BASE_URL: vendor.url,
    OPENAI_BASE_URL: `${vendor.url}/v1`,
    GOOGLE_GEMINI_BASE_URL: vendor.url,
  });
});
afterEach(() => {
  vendor.reset();
  simulator.reset();
});
afterAll(async () => {
  await gateway.close();
  await vendor.close();
  await simulator.close();
});

function open(environment: Record<string, string>): Promise<Gateway> {
  const flags = { "server.port": 0, "store.path": ":memory:" };
  return openGateway({ environment, flags }, { simulatorUrl: simulator.url, writeLog: (line) => void log.push(line) });
}

const user = [{ role: "user", content: "Hello" }];
const contents = [{ role: "user", parts: [{ text: "Hello" }] }];
/** One call per format: its path and body for a model of each vendor. */
const CALLS = {
  messages: (model: string, stream = false) => ["/v1/messages", { model, max_tokens: 200, messages: user, stream }],
  chat: (model: string, stream = false) => ["/v1/chat/completions", { model, messages: user, stream }],
  responses: (model: string, stream = false) => ["/v1/responses", { model, input: "Hello", stream }],
  gemini: (model: string, stream = false) => [
    `/v1beta/models/${model}:${stream ? "streamGenerateContent?alt=sse" : "generateContent"}`,
    { contents },
  ],
} as const;
type Format = keyof typeof CALLS;
const FORMATS = ["messages", "chat", "responses", "gemini"] as const;

async function post([path, body]: readonly [string, object], headers: Record<string, string>, at = gateway.url) {
  const init = { "content-type": "application/json", "anthropic-version": "2023-06-01", ...headers };
  const answer = await fetch(`${at}${path}`, { method: "POST", body: JSON.stringify(body), headers: init });
  return { status: answer.status, simulated: answer.headers.get("x-longhaul-simulated"), text: await answer.text() };
}

function callOf(format: Format, model: string, stream = false): readonly [string, object] {
  const [path, body] = CALLS[format](model, stream);
  return [String(path), Object(body)];
}

describe("a vendor's own credential", () => {
  it.each([
    ["messages", "claude-sonnet-4-5", { authorization: `Bearer ${OAUTH}` }],
    ["messages", "claude-sonnet-4-5", { "x-api-key": ANTHROPIC }],
    ["messages", "claude-sonnet-4-5", { authorization: `Bearer ${ANTHROPIC}` }],
    ["messages", "claude-sonnet-4-5", { "x-api-key": ANTHROPIC, authorization: `Bearer ${OAUTH}` }],
    ["messages", "claude-sonnet-4-5", { "x-api-key": "", authorization: `Bearer ${OAUTH}` }],
    ["chat", "gpt-4o", { authorization: `Bearer ${PROJECT}` }],
    ["responses", "gpt-4o", { authorization: `Bearer ${SERVICE}` }],
    ["gemini", "gemini-2.5-flash", { "x-goog-api-key": GOOGLE }],
    ["gemini", "gemini-2.5-flash", { "x-goog-api-key": NEW_GOOGLE }],
    ["chat", "claude-sonnet-4-5", { authorization: `Bearer ${ANTHROPIC}` }],
    ["messages", "gpt-4o", { authorization: `Bearer ${PROJECT}` }],
    ["messages", "gemini-2.5-flash", { "x-goog-api-key": GOOGLE }],
  ] as const)("takes a call in %s for %s with %j to its vendor", async (format, model, headers) => {
    const { status, simulated, text } = await post(callOf(format, model), headers);
    expect([status, simulated]).toEqual([200, null]);
    expect(text).toContain("You said: Hello");
    expect([vendor.requests().length, simulator.requests().length]).toEqual([1, 0]);
  });

  it("is recognized in the query of Google's clients", async () => {
    const [path, body] = callOf("gemini", "gemini-2.5-flash");
    expect((await post([`${path}?key=${GOOGLE}`, body], {})).simulated).toBeNull();
    expect([vendor.requests().length, simulator.requests().length]).toEqual([1, 0]);
  });

  it("takes token counts, model lists and other endpoints to its vendor, too", async () => {
    const headers = { authorization: `Bearer ${PROJECT}` };
    await post(["/v1/messages/count_tokens", { model: "claude-sonnet-4-5", messages: user }], {
      "x-api-key": ANTHROPIC,
    });
    await post(["/v1/embeddings", { model: "text-embedding-3-small", input: "Hello" }], headers);
    await fetch(`${gateway.url}/v1/files`, { headers });
    expect(vendor.requests().map(({ path }) => path)).toEqual([
      "/v1/messages/count_tokens",
      "/v1/embeddings",
      "/v1/files",
    ]);
    expect(simulator.requests()).toEqual([]);
    const models = await fetch(`${gateway.url}/v1/models`, { headers });
    const { data } = Object(await models.json());
    expect(data.map(({ id }: { id: string }) => id)).toContain("gpt-4o");
    expect(JSON.stringify(data)).not.toContain("claude");
  });

  it("gets the vendor's refusal, never a simulated answer", async () => {
    const { status, text } = await post(callOf("messages", "claude-sonnet-4-5"), { "x-api-key": "sk-ant-revoked-key" });
    expect([status, simulator.requests().length]).toEqual([401, 0]);
    expect(text).toContain("authentication_error");
  });

  it("is in no line of the log, which names the upstream", () => {
    expect(log.join("")).toContain('"upstream":"anthropic"');
    for (const key of KEYS) expect(log.join("")).not.toContain(key);
  });
});

const GATEWAY_KEY = `lh_${"a1".repeat(21)}b`;
const LOOK_ALIKES: readonly Record<string, string>[] = [
  {},
  ...["x-api-key", "x-goog-api-key"].flatMap((header) =>
    ["any", "longhaul", "sk-1234567890abcdef", GATEWAY_KEY, "sk-admin-key-of-an-organization"].map((key) => ({
      [header]: key,
    })),
  ),
  ...["any", "sk-1234567890abcdef", "sk-or-v1-0123456789", "sk-admin-abcdefgh", "sk-litellm-1234", GATEWAY_KEY].map(
    (key) => ({
      authorization: `Bearer ${key}`,
    }),
  ),
  // ChatGPT's login is a JSON Web Token for another API.
  { authorization: "Bearer eyJhbGciOiJSUzI1NiJ9.eyJpc3MiOiJodHRwczovL2F1dGgub3BlbmFpLmNvbSJ9.c2lnbmF0dXJl" },
  ...[
    OAUTH.toUpperCase(),
    `x${OAUTH}`,
    `${OAUTH}!`,
    `${OAUTH} x`,
    `${OAUTH},${OAUTH}`,
    "sk-ant-",
    "sk-ant-dummy",
    "sk_ant_api03_key",
  ].flatMap((key) => [{ authorization: `Bearer ${key}` }, { "x-api-key": key }]),
  { authorization: `Bearer  ${OAUTH}` },
  { authorization: `Bearer Bearer ${OAUTH}` },
  { "x-goog-api-key": OAUTH },
  { "x-goog-api-key": PROJECT },
  { "x-api-key": PROJECT },
  { "x-api-key": GOOGLE },
  { authorization: `Bearer ${GOOGLE}` },
  { "x-goog-api-key": "aizasy-key-of-gemini" },
  { "x-goog-api-key": "AIza" },
  { "api-key": ANTHROPIC },
  { cookie: `key=${ANTHROPIC}` },
  // Which of two vendors' credentials is meant, and which would be sent, is unknown.
  { "x-api-key": ANTHROPIC, authorization: `Bearer ${PROJECT}` },
  { "x-api-key": "any", authorization: `Bearer ${OAUTH}` },
  { "x-goog-api-key": GOOGLE, authorization: `Bearer ${PROJECT}` },
];

describe("everything else", () => {
  it.each(LOOK_ALIKES)("stays on this machine: %j", async (headers) => {
    const { status, simulated, text } = await post(callOf("messages", "claude-sonnet-4-5"), headers);
    expect([status, simulated]).toEqual([200, "true"]);
    expect(JSON.parse(text).content[0].text).toMatch(
      /^\[Simulated answer: no model is configured\. .*\]\n\nYou said: Hello$/,
    );
    expect([vendor.requests().length, simulator.requests().length]).toEqual([0, 1]);
  });

  it.each([`bearer ${OAUTH}`, `Basic ${OAUTH}`, `Token ${OAUTH}`, OAUTH])(
    "stays on this machine, where the simulator rejects it: authorization: %s",
    async (authorization) => {
      const { status, simulated } = await post(callOf("messages", "claude-sonnet-4-5"), { authorization });
      expect([status, simulated, vendor.requests().length]).toEqual([401, "true", 0]);
    },
  );

  it("stays on this machine in other formats and at other endpoints", async () => {
    const headers = { authorization: "Bearer sk-1234567890abcdef", "x-goog-api-key": "any" };
    for (const format of FORMATS) await post(callOf(format, "gpt-4o"), headers);
    await post(["/v1/messages/count_tokens", { model: "claude-sonnet-4-5", messages: user }], headers);
    await post(["/v1/embeddings", { model: "text-embedding-3-small", input: "Hello" }], headers);
    for (const path of ["/v1/files", "/v1/models", "/v1/batches"]) await fetch(`${gateway.url}${path}`, { headers });
    expect(vendor.requests()).toEqual([]);
  });

  it("stays on this machine whatever surrounds a credential", async () => {
    const around = fc.stringMatching(/^[a-z_. ,;:=-]{1,3}$/);
    const header = fc.constantFrom("x-api-key", "x-goog-api-key", "authorization");
    const check = async (name: string, key: string, before: string) => {
      await post(callOf("messages", "claude-sonnet-4-5"), { [name]: `${before}${key}` });
      expect(vendor.requests()).toEqual([]);
    };
    // Servers remove outer spaces from a header's value.
    const foreign = around.filter((text) => text.trim() !== "" && text.trimStart() === text);
    await fc.assert(fc.asyncProperty(header, fc.constantFrom(...KEYS), foreign, check), { seed: 20, numRuns: 60 });
  });
});

describe("a simulated answer without a configuration", () => {
  it.each(FORMATS.flatMap((format) => [[format, false] as const, [format, true] as const]))(
    "says so in %s (stream: %s)",
    async (format, stream) => {
      const { simulated, text } = await post(callOf(format, "gpt-4o", stream), { "x-api-key": "any" });
      expect(simulated).toBe("true");
      const whole = text.replaceAll(/"\}[\s\S]*?"(?:text|content|delta)": ?"/g, "");
      expect(whole).toContain("[Simulated answer: no model is configured. ");
    },
  );

  it("keeps tool calls and structured output as they are", async () => {
    const tools = [{ name: "read", input_schema: { type: "object" } }];
    const messages = [{ role: "user", content: 'simulate: call read {"path":"a.ts"}' }];
    const called = await post(["/v1/messages", { model: "claude-sonnet-4-5", max_tokens: 200, messages, tools }], {});
    expect(JSON.parse(called.text).content).toMatchObject([
      { type: "tool_use", name: "read", input: { path: "a.ts" } },
    ]);
    const schema = {
      type: "object",
      properties: { a: { type: "string" } },
      required: ["a"],
      additionalProperties: false,
    };
    const response_format = { type: "json_schema", json_schema: { name: "s", strict: true, schema } };
    const structured = await post(["/v1/chat/completions", { model: "gpt-4o", messages: user, response_format }], {});
    expect(JSON.parse(JSON.parse(structured.text).choices[0].message.content)).toHaveProperty("a");
    expect([called.simulated, structured.simulated]).toEqual(["true", "true"]);
  });

  it("keeps its exact text if the simulator is configured", async () => {
    const file = { upstreams: { s: { kind: "simulator" } }, routes: [{ match: "*", upstream: "s" }] };
    const flags = { "server.port": 0, "store.path": ":memory:" };
    const configured = await openGateway({ file, flags }, { simulatorUrl: simulator.url });
    const { simulated, text } = await post(
      callOf("chat", "gpt-4o"),
      { authorization: `Bearer ${PROJECT}` },
      configured.url,
    );
    await configured.close();
    expect([simulated, JSON.parse(text).choices[0].message.content]).toEqual([null, "You said: Hello"]);
  });
});

it("refuses to forward requests to itself", async () => {
  const own = await open({ ANTHROPIC_BASE_URL: vendor.url });
  const flags = { "server.port": 0, "store.path": ":memory:" };
  own.reload({ environment: { ANTHROPIC_BASE_URL: own.url }, flags });
  const { status, text } = await post(callOf("messages", "claude-sonnet-4-5"), { "x-api-key": ANTHROPIC }, own.url);
  await own.close();
  expect(status).toBe(404);
  expect(text).toContain('upstream \\"anthropic\\" has the address of this gateway');
});

describe("a model of a vendor whose key is not set", () => {
  it.each(FORMATS)("is rejected with the variable to set, in the %s format", async (format) => {
    const configured = await open({ ANTHROPIC_API_KEY: ANTHROPIC });
    try {
      const { status, text } = await post(callOf(format, "gpt-5.1"), {}, configured.url);
      expect(status).toBe(404);
      expect(text).toContain('the model \\"gpt-5.1\\" belongs to OpenAI');
      expect(text).toContain("set OPENAI_API_KEY where the gateway runs");
    } finally {
      await configured.close();
    }
  });

  it("is sent to an upstream with its own URL, which may serve any model", async () => {
    const configured = await open({ ANTHROPIC_API_KEY: ANTHROPIC, ANTHROPIC_BASE_URL: vendor.url });
    try {
      await post(callOf("messages", "gpt-5.1"), {}, configured.url);
      expect(vendor.requests()).toHaveLength(1);
    } finally {
      await configured.close();
    }
  });
});

it("gets a simulated answer with an authorization header that has no credential in it", async () => {
  const { status, simulated } = await post(callOf("messages", "claude-sonnet-4-5"), { authorization: "Bearer " });
  expect([status, simulated]).toEqual([200, "true"]);
});

import { generateKeyPairSync } from "node:crypto";
import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { type Gateway, openGateway } from "@longhaul/gateway";
import { openSimulator, type Simulator } from "@longhaul/simulator";
import { afterAll, beforeAll, beforeEach, describe, expect, it } from "vitest";
import { anthropicClient } from "./anthropic-client.ts";
import type { Client } from "./client.ts";
import { geminiClient } from "./gemini-client.ts";

/** Third-party platforms by a model name that is routed to them. */
const PLATFORMS = [
  { api: "bedrock", match: "via-bedrock", upstream: "bedrock", model: "us.anthropic.claude-sonnet-4-5-20250929-v1:0" },
  { api: "vertex-claude", match: "via-vertex-claude", upstream: "vertex", model: "claude-sonnet-4-5@20250929" },
  { api: "vertex-gemini", match: "via-vertex-gemini", upstream: "vertex", model: "gemini-3.5-flash" },
] as const;
const WINDOW = 50_000;
const AWS = { accessKeyId: "AKIDEXAMPLE", secretAccessKey: "secret", sessionToken: "session" };

const folder = mkdtempSync(join(tmpdir(), "longhaul-platforms-"));
let simulator: Simulator;
let gateway: Gateway;
let clients: Readonly<Record<"anthropic" | "gemini", Client>>;

beforeAll(async () => {
  const clientEmail = "tests@example.iam.gserviceaccount.com";
  const { publicKey, privateKey } = generateKeyPairSync("rsa", {
    modulusLength: 2_048,
    publicKeyEncoding: { type: "spki", format: "pem" },
    privateKeyEncoding: { type: "pkcs8", format: "pem" },
  });
  const models = Object.fromEntries(PLATFORMS.map(({ model }) => [model, { window: WINDOW }]));
  simulator = await openSimulator({ aws: AWS, google: { clientEmail, publicKey }, models });
  const credentialsFile = join(folder, "account.json");
  const account = { client_email: clientEmail, private_key: privateKey, token_uri: `${simulator.url}/token` };
  writeFileSync(credentialsFile, JSON.stringify(account));
  const upstreams = {
    bedrock: { kind: "bedrock", baseUrl: simulator.url, region: "us-east-1", maxRetries: 0, ...AWS },
    vertex: {
      kind: "vertex",
      baseUrl: `${simulator.url}/v1/projects/{project}/locations/{region}`,
      region: "us-east5",
      project: "p",
      credentialsFile,
      maxRetries: 0,
    },
  };
  const routes = PLATFORMS.map(({ match, upstream, model }) => ({ match, upstream, model }));
  gateway = await openGateway({ file: { server: { port: 0 }, upstreams, routes } });
  clients = { anthropic: anthropicClient(gateway.url), gemini: geminiClient(gateway.url) };
});
beforeEach(() => simulator.reset());
afterAll(async () => {
  await gateway.close();
  await simulator.close();
  rmSync(folder, { recursive: true });
});

const cases = PLATFORMS.flatMap(({ api, match }) =>
  (["anthropic", "gemini"] as const).flatMap((client) =>
    [false, true].map((stream) => [client, api, stream ? "streaming" : "whole", { client, match, stream }] as const),
  ),
);

describe.each(cases)("the %s client on %s, %s", (_, api, __, { client, match, stream }) => {
  it("text", async () => {
    const outcome = await clients[client].run({ model: match, stream, prompt: "simulate: say Grüße, 世界! 😀" });
    expect(outcome).toMatchObject({ text: "Grüße, 世界! 😀", rounds: [] });
    expect(outcome.outputTokens).toBeGreaterThan(0);
    expect(simulator.requests().at(-1)).toMatchObject({ api, isStream: stream });
  });

  it("thinking through a tool loop", async () => {
    const prompt =
      'simulate: think 60\nsimulate: call read {"path":"{step}.ts"}\nsimulate: times 2\nsimulate: say Thought through.';
    const outcome = await clients[client].run({ model: match, stream, prompt, tools: ["read"], think: true });
    expect(outcome.rounds).toEqual(["1", "2"].map((step) => [{ name: "read", input: { path: `${step}.ts` } }]));
    expect(outcome.text).toBe("Thought through.");
  });

  it("overflow with the message that the client matches", async () => {
    const prompt = "too long ".repeat(WINDOW);
    await expect(clients[client].run({ model: match, stream, prompt })).rejects.toThrow(OVERFLOW[client]);
  });

  it("throttling without an overflow", async () => {
    simulator.inject("status=429");
    await expect(clients[client].run({ model: match, stream, prompt: "hi" })).rejects.toMatchObject({ status: 429 });
  });
});

/** Clients of the Messages API also match Bedrock's own message. */
const OVERFLOW = {
  anthropic: /prompt is too long/,
  gemini: /exceeds the maximum number of tokens allowed/,
} as const;

it.each(["via-bedrock", "via-vertex-claude"])(
  "rejects a thread on %s with the code that the SDK recovers from",
  async (model) => {
    const body = { model, max_tokens: 9, messages: [{ role: "user", content: "Hi" }], thread: { type: "create" } };
    const headers = { "content-type": "application/json", "x-api-key": "key", "anthropic-version": "2023-06-01" };
    const response = await fetch(`${gateway.url}/v1/messages`, { method: "POST", headers, body: JSON.stringify(body) });
    expect([response.status, await response.json()]).toMatchObject([
      400,
      { error: { details: { error_code: "thread_unsupported_request" } } },
    ]);
  },
);

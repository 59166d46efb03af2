import Anthropic from "@anthropic-ai/sdk";
import { GoogleGenAI } from "@google/genai";
import OpenAI from "openai";
import { afterAll, describe, expect, it } from "vitest";
import { openGateway } from "../gateway.ts";
import { ask } from "../testing/serve.ts";
import { makeSnapshot } from "../testing/snapshot.ts";

const snapshot = makeSnapshot({
  upstreams: {
    claude: { kind: "anthropic" },
    openai: { kind: "openai" },
    local: { kind: "openai-compatible", baseUrl: "http://127.0.0.1:8/v1", window: 32_768 },
    aws: { kind: "bedrock", region: "us-east-1", accessKeyId: "i", secretAccessKey: "s" },
  },
  routes: [
    { match: "claude-*haiku*", upstream: "openai", model: "gpt-4o-mini" },
    { match: "house-model", upstream: "local", model: "qwen3" },
    { match: "claude-opus-*", upstream: ["claude", "aws"] },
    { match: "gpt-4o*", upstream: "openai" },
    { match: "local/*", upstream: "local" },
  ],
  models: { "local/added": { window: 1_000, maxOutput: 100 } },
});
afterAll(() => snapshot.close());

async function get(target: string, headers: Record<string, string> = {}) {
  const { status, text } = await ask(snapshot, target, undefined, { method: "GET", headers });
  return { status, body: JSON.parse(text) };
}

async function ids(target = "/v1/models"): Promise<string[]> {
  const { body } = await get(target);
  return body.data.map(({ id }: { id: string }) => id);
}

describe("the list", () => {
  it("can be read by OpenAI's and Anthropic's clients", async () => {
    const { status, body } = await get("/v1/models");
    expect(status).toBe(200);
    expect(body).toMatchObject({ object: "list", has_more: false, first_id: body.data[0].id });
    expect(body.last_id).toBe(body.data.at(-1).id);
    expect(body.data.find(({ id }: { id: string }) => id === "claude-opus-4-6")).toEqual({
      id: "claude-opus-4-6",
      object: "model",
      type: "model",
      display_name: "claude-opus-4-6",
      owned_by: "anthropic",
      created: 0,
      created_at: "1970-01-01T00:00:00Z",
      max_input_tokens: expect.any(Number),
      max_tokens: expect.any(Number),
    });
  });

  it("lists for each route the models of its platforms that match, each name once", async () => {
    const listed = await ids();
    expect(new Set(listed).size).toBe(listed.length);
    expect(listed.filter((id) => id.startsWith("claude-opus-")).length).toBeGreaterThan(3);
    expect(listed).toContain("gpt-4o-mini");
    expect(listed.filter((id) => /sonnet|^gpt-5|bedrock|anthropic\./.test(id))).toEqual([]);
    expect(listed.findIndex((id) => id.includes("haiku"))).toBe(0);
    expect(listed.indexOf("house-model")).toBeLessThan(listed.indexOf("claude-opus-4-6"));
  });

  it("lists the names of a renaming route with the limits of its model", async () => {
    const { body } = await get("/v1/models");
    const haiku = body.data.filter(({ id }: { id: string }) => id.includes("haiku"));
    expect(haiku.length).toBeGreaterThan(1);
    expect(new Set(haiku.map((model: { max_tokens: number }) => model.max_tokens))).toEqual(new Set([16_384]));
  });

  it("lists configured models of compatible servers with the window of the upstream", async () => {
    expect(await ids()).toContain("local/added");
    expect((await get("/v1/models/local/added")).body).toMatchObject({ max_input_tokens: 32_768, max_tokens: 100 });
  });

  it("has pages on request", async () => {
    const all = await ids();
    const { body } = await get("/v1/models?limit=2");
    expect(body).toMatchObject({ has_more: true, first_id: all[0], last_id: all[1] });
    expect(await ids(`/v1/models?limit=2&after_id=${all[1]}`)).toEqual(all.slice(2, 4));
    expect((await ids("/v1/models?limit=1000")).length).toBe(all.length);
  });

  it("uses Gemini's dialect under its path", async () => {
    const { body } = await get("/v1beta/models?pageSize=1");
    const methods = ["generateContent", "countTokens"];
    expect(body).toMatchObject({ models: [{ supportedGenerationMethods: methods }], nextPageToken: "1" });
    expect(body.models[0].name).toMatch(/^models\/claude-.*haiku/);
    const { body: last } = await get(`/v1beta/models?pageSize=1000&pageToken=${body.nextPageToken}`);
    expect([last.models.length, last.nextPageToken]).toEqual([(await ids()).length - 1, undefined]);
  });

  it("leaves out routes without an upstream", async () => {
    const empty = { ...snapshot, handles: new Map() };
    const { text } = await ask(empty, "/v1/models", undefined, { method: "GET" });
    expect(JSON.parse(text)).toEqual({ object: "list", data: [], has_more: false, first_id: null, last_id: null });
  });
});

describe("one model", () => {
  it("is described under any name that a route accepts", async () => {
    expect((await get("/v1/models/house-model")).body).toMatchObject({ id: "house-model", object: "model" });
    expect((await get("/v1beta/models/gpt-4o")).body).toMatchObject({ name: "models/gpt-4o" });
  });

  it("is reported as missing in the client's dialect", async () => {
    expect(await get("/v1/models/llama")).toMatchObject({ status: 404, body: { error: { code: "model_not_found" } } });
    expect(await get("/v1/models/llama", { "anthropic-version": "2023-06-01" })).toMatchObject({
      status: 404,
      body: { type: "error", error: { type: "not_found_error" } },
    });
  });
});

it("is read completely by the vendors' own clients", async () => {
  const gateway = await openGateway({ file: snapshot.config, flags: { "server.port": 0 } });
  const anthropic = new Anthropic({ baseURL: gateway.url, apiKey: "k" });
  const openai = new OpenAI({ baseURL: `${gateway.url}/v1`, apiKey: "k" });
  const google = new GoogleGenAI({ apiKey: "k", httpOptions: { baseUrl: gateway.url } });
  const all = await ids();
  expect((await collect(anthropic.models.list({ limit: 7 }))).map(({ id }) => id)).toEqual(all);
  expect((await collect(openai.models.list())).map(({ id }) => id)).toEqual(all);
  const named = await collect(await google.models.list({ config: { pageSize: 7 } }));
  expect(named.map(({ name }) => name)).toEqual(all.map((id) => `models/${id}`));
  expect(await anthropic.models.retrieve("claude-opus-4-6")).toMatchObject({ type: "model", id: "claude-opus-4-6" });
  await expect(openai.models.retrieve("llama")).rejects.toMatchObject({ status: 404, code: "model_not_found" });
  await gateway.close();
});

async function collect<T>(pages: AsyncIterable<T>): Promise<T[]> {
  const found: T[] = [];
  for await (const entry of pages) found.push(entry);
  return found;
}

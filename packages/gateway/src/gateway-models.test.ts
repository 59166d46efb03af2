import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { makeKey } from "@longhaul/admin";
import { vendorsAt } from "@longhaul/fit/testing";
import { openSimulator, type Simulator } from "@longhaul/simulator";
import { openStore, type Store } from "@longhaul/store";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { type Gateway, openGateway } from "./gateway.ts";

const MESSAGES = [{ role: "user", content: "Say hello." }];
const INPUT = { contents: [{ role: "user", parts: [{ text: "hi" }] }] };

describe("a key with a list of models", () => {
  const folder = mkdtempSync(join(tmpdir(), "longhaul-models-"));
  const path = join(folder, "longhaul.db");
  const { key, stored } = makeKey({ name: "intern", models: ["claude-*haiku*", "gpt-4o"], createdAtMs: 1 });
  let simulator: Simulator;
  let store: Store;
  let gateway: Gateway;

  beforeAll(async () => {
    simulator = await openSimulator();
    store = await openStore({ path, nowMs: Date.now });
    await store.keys.create(stored);
    const vendors = vendorsAt(simulator.url, { apiKey: "vendors" });
    // The operator's route leads elsewhere.
    const routes = [{ match: "claude-*haiku*", upstream: "gpt", model: "gpt-4o-mini" }, ...vendors.routes];
    gateway = await openGateway({ file: { server: { port: 0 }, store: { path }, ...vendors, routes } });
  });
  afterAll(async () => {
    await gateway.close();
    await store.close();
    await simulator.close();
    rmSync(folder, { recursive: true });
  });

  async function ask(target: string, body?: object, headers: Record<string, string> = {}) {
    const answer = await fetch(`${gateway.url}${target}`, {
      method: body === undefined ? "GET" : "POST",
      headers: { "content-type": "application/json", "x-longhaul-key": key, ...headers },
      ...(body !== undefined && { body: JSON.stringify(body) }),
    });
    return { status: answer.status, body: JSON.parse(await answer.text()) };
  }

  const anthropic = { "anthropic-version": "2023-06-01" };

  it.each([
    ["/v1/messages", { model: "claude-3-5-haiku-20241022", max_tokens: 9, messages: MESSAGES }, anthropic],
    ["/v1/chat/completions", { model: "GPT-4o", messages: MESSAGES }, {}],
    ["/v1/chat/completions", { model: "gpt-4o", models: ["gpt-4o"], messages: MESSAGES }, {}],
    ["/v1/embeddings", { model: "gpt-4o", input: "hi" }, {}],
  ])("reaches %s with a listed model: case %#", async (target, body, headers) => {
    const before = simulator.requests().length;
    await ask(target, body, headers);
    expect(simulator.requests().length).toBe(before + 1);
  });

  it("follows the operator's route to a model that is not listed", async () => {
    await ask("/v1/messages", { model: "claude-3-5-haiku-20241022", max_tokens: 9, messages: MESSAGES }, anthropic);
    expect(JSON.stringify(simulator.requests().at(-1))).toContain("gpt-4o-mini");
  });

  it.each([
    ["/v1/messages", { model: "claude-opus-4-6", max_tokens: 9, messages: MESSAGES }, anthropic],
    ["/v1/messages/count_tokens", { model: "claude-opus-4-6", messages: MESSAGES }, anthropic],
    ["/v1/messages/batches", { requests: [{ params: { model: "claude-opus-4-6" } }] }, anthropic],
    ["/v1/chat/completions", { model: "gpt-4o-mini", messages: MESSAGES }, {}],
    ["/v1/chat/completions", { model: "gpt-4o", models: ["gpt-4o", "gpt-5"], messages: MESSAGES }, {}],
    ["/v1/chat/completions", { model: "gpt-4o:unknown", messages: MESSAGES }, {}],
    ["/v1/responses", { model: "gpt-5", input: "hi" }, {}],
    ["/v1/responses/compact", { model: "gpt-5", input: "hi" }, {}],
    ["/v1/embeddings", { model: "text-embedding-3-small", input: "hi" }, {}],
    ["/v1/files", undefined, {}],
    ["/v1/models/gpt-5", undefined, {}],
    ["/v1beta/models/gemini-2.5-flash:generateContent", INPUT, {}],
    ["/v1beta/models/gemini-2.5-flash:countTokens", INPUT, {}],
    ["/v1beta/models/gemini-2.5-flash:embedContent", INPUT, {}],
  ])("is rejected at %s with another model, before an upstream is asked: case %#", async (target, body, headers) => {
    const before = simulator.requests().length;
    const { status, body: answer } = await ask(target, body, headers);
    expect([status, simulator.requests().length]).toEqual([403, before]);
    expect(answer.error.message).toMatch(/^API key "intern" may .*claude-\*haiku\*, gpt-4o/);
  });

  it("is rejected in the client's own dialect", async () => {
    const claude = await ask(
      "/v1/messages",
      { model: "claude-opus-4-6", max_tokens: 9, messages: MESSAGES },
      anthropic,
    );
    expect(claude.body).toMatchObject({ type: "error", error: { type: "permission_error" } });
    const gpt = await ask("/v1/chat/completions", { model: "gpt-5", messages: MESSAGES });
    expect(gpt.body).toMatchObject({ error: { param: "model" } });
    const gemini = await ask("/v1beta/models/gemini-2.5-flash:generateContent", INPUT);
    expect(gemini.body).toMatchObject({ error: { code: 403, status: "PERMISSION_DENIED" } });
  });

  it("lists only its models", async () => {
    const { body } = await ask("/v1/models");
    const ids: string[] = body.data.map(({ id }: { id: string }) => id);
    expect(ids).toContain("gpt-4o");
    expect(ids.filter((id) => id !== "gpt-4o" && !/^claude-.*haiku/.test(id))).toEqual([]);
    expect((await ask("/v1beta/models")).body.models.map(({ name }: { name: string }) => name)).toContain(
      "models/gpt-4o",
    );
  });

  it("may use every model after its list is removed, without a restart", async () => {
    const opus = { model: "claude-opus-4-6", max_tokens: 9, messages: MESSAGES };
    await store.keys.change(stored.id, { models: [] });
    await expect.poll(async () => (await ask("/v1/messages", opus, anthropic)).status).toBe(200);
    await store.keys.change(stored.id, { models: stored.models });
    await expect.poll(async () => (await ask("/v1/messages", opus, anthropic)).status).toBe(403);
  });
});

import { anthropicError, type Handler, json, openUpstream } from "@longhaul/fit/testing";
import { afterEach, describe, expect, it } from "vitest";
import type { OwnCall } from "../host/own-calls.ts";
import { snapshotOf } from "../testing/admin-server.ts";
import { testUpstream } from "./test-upstream.ts";

const closers: (() => Promise<void>)[] = [];
afterEach(async () => {
  for (const close of closers.splice(0).reverse()) await close();
});

async function tested(handler: Handler, { upstream = {}, model }: { upstream?: object; model?: string } = {}) {
  const { url: baseUrl, seen, close } = await openUpstream(handler);
  const up = { kind: "anthropic", baseUrl, apiKey: "hush-hush-hush", maxRetries: 0, ...upstream };
  const snapshot = snapshotOf({ upstreams: { up } });
  closers.push(close);
  const calls: OwnCall[] = [];
  const record = (call: OwnCall) => void calls.push(call);
  const result = await testUpstream("up", model, { snapshot, signal: new AbortController().signal, record });
  return { result, seen, calls };
}

const ANSWER = {
  id: "msg_1",
  type: "message",
  role: "assistant",
  model: "m",
  content: [{ type: "text", text: "OK" }],
  stop_reason: "end_turn",
  usage: { input_tokens: 1, output_tokens: 1 },
};

describe("testUpstream", () => {
  it("reads Gemini's model list", async () => {
    const { result } = await tested(json({ models: [{ name: "models/gemini-x" }, { other: 1 }] }), {
      upstream: { kind: "gemini" },
    });
    expect(result).toEqual({ outcome: "working", models: ["models/gemini-x"] });
  });

  it("requests a few tokens from a model", async () => {
    const { result, seen, calls } = await tested(json(ANSWER), { model: "claude-haiku-4-5" });
    expect(calls).toMatchObject([{ action: "test", upstream: "up", model: "claude-haiku-4-5", costUsd: 6e-6 }]);
    expect(result).toEqual({ outcome: "working", models: [], reply: "OK" });
    expect(JSON.parse(seen[0]?.body ?? "")).toMatchObject({ max_tokens: 16, messages: [{ role: "user" }] });
  });

  it.each([[undefined], ["claude-haiku-4-5"]])(
    "reports an error without the key that it quotes (model %s)",
    async (model) => {
      const refusal = anthropicError(401, "authentication_error", "invalid key hush-hush-hush");
      const { result } = await tested(json(refusal, 401), model === undefined ? {} : { model });
      expect(result).toMatchObject({ outcome: "key-refused", why: expect.stringContaining("invalid key") });
      expect(result.why).not.toContain("hush");
    },
  );

  it.each([
    [401, undefined, "key-refused"],
    [403, undefined, "key-refused"],
    [404, undefined, "unknown-path"],
    [404, "claude-haiku-4-5", "unknown-model"],
    [422, undefined, "refused"],
    [429, undefined, "busy"],
    [504, undefined, "late"],
    [500, "claude-haiku-4-5", "broken"],
  ])("reports status %i (model %s) as %s", async (status, model, outcome) => {
    const { result } = await tested(json({ error: { message: "no" } }, status), model === undefined ? {} : { model });
    expect(result).toMatchObject({ outcome, why: expect.stringContaining("no") });
  });

  it("distinguishes Gemini's error for a wrong key from its other errors", async () => {
    const refusal = (reason: string) =>
      json({ error: { code: 400, message: "no", status: "INVALID_ARGUMENT", details: [{ reason }] } }, 400);
    const outcomes = ["API_KEY_INVALID", "FIELD_VIOLATION"].map(
      async (reason) => (await tested(refusal(reason), { upstream: { kind: "gemini" } })).result.outcome,
    );
    expect(await Promise.all(outcomes)).toEqual(["key-refused", "refused"]);
  });

  it("says if the gateway has no key of its own", async () => {
    const refusal = anthropicError(401, "authentication_error", "x-api-key header is required");
    const { result } = await tested(json(refusal, 401), { upstream: { apiKey: undefined } });
    expect(result).toMatchObject({ outcome: "key-missing", why: expect.stringContaining("clients send their own") });
  });

  it("reports an answer that is not a model list", async () => {
    expect((await tested(json("<html>"))).result).toMatchObject({
      outcome: "broken",
      why: expect.stringContaining("not a model list"),
    });
    expect((await tested(json({ data: "none" }))).result).toEqual({ outcome: "working", models: [] });
  });

  it("reports an unreachable upstream", async () => {
    const { result } = await tested(json({}), { upstream: { baseUrl: "http://127.0.0.1:1" } });
    expect(result).toMatchObject({ outcome: "unreachable", why: expect.stringContaining("cannot be reached") });
  });

  it("asks for a model if the upstream has no model list", async () => {
    const keys = { kind: "bedrock", accessKeyId: "a", secretAccessKey: "b", region: "r", apiKey: undefined };
    const { result } = await tested(json({}), { upstream: keys });
    expect(result).toMatchObject({
      outcome: "unlisted",
      why: expect.stringContaining("has no model list; name a model"),
    });
  });
});

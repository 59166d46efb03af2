import { anthropicError, type Handler, json, openUpstream } from "@longhaul/fit/testing";
import { afterEach, describe, expect, it } from "vitest";
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
  const result = await testUpstream("up", model, { snapshot, signal: new AbortController().signal });
  return { result, seen };
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
  it("reads Gemini's list too", async () => {
    const { result } = await tested(json({ models: [{ name: "models/gemini-x" }, { other: 1 }] }), {
      upstream: { kind: "gemini" },
    });
    expect(result).toEqual({ outcome: "working", models: ["models/gemini-x"] });
  });

  it("asks a model for a few tokens", async () => {
    const { result, seen } = await tested(json(ANSWER), { model: "claude-haiku-4-5" });
    expect(result).toEqual({ outcome: "working", models: [], reply: "OK" });
    expect(JSON.parse(seen[0]?.body ?? "")).toMatchObject({ max_tokens: 16, messages: [{ role: "user" }] });
  });

  it.each([[undefined], ["claude-haiku-4-5"]])(
    "tells a refusal without the key that it quotes (model %s)",
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
  ])("calls a refusal with %i (model %s) %s", async (status, model, outcome) => {
    const { result } = await tested(json({ error: { message: "no" } }, status), model === undefined ? {} : { model });
    expect(result).toMatchObject({ outcome, why: expect.stringContaining("no") });
  });

  it("knows Gemini's refusal of a key from its other refusals", async () => {
    const refusal = (reason: string) =>
      json({ error: { code: 400, message: "no", status: "INVALID_ARGUMENT", details: [{ reason }] } }, 400);
    const outcomes = ["API_KEY_INVALID", "FIELD_VIOLATION"].map(
      async (reason) => (await tested(refusal(reason), { upstream: { kind: "gemini" } })).result.outcome,
    );
    expect(await Promise.all(outcomes)).toEqual(["key-refused", "refused"]);
  });

  it("says where the gateway has no key of its own", async () => {
    const refusal = anthropicError(401, "authentication_error", "x-api-key header is required");
    const { result } = await tested(json(refusal, 401), { upstream: { apiKey: undefined } });
    expect(result).toMatchObject({ outcome: "key-missing", why: expect.stringContaining("clients bring theirs") });
  });

  it("says what came instead of a list", async () => {
    expect((await tested(json("<html>"))).result).toMatchObject({
      outcome: "broken",
      why: expect.stringContaining("something else"),
    });
    expect((await tested(json({ data: "none" }))).result).toEqual({ outcome: "working", models: [] });
  });

  it("says that nobody is there", async () => {
    const { result } = await tested(json({}), { upstream: { baseUrl: "http://127.0.0.1:1" } });
    expect(result).toMatchObject({ outcome: "unreachable", why: expect.stringContaining("cannot be reached") });
  });

  it("wants a model where none are listed", async () => {
    const keys = { kind: "bedrock", accessKeyId: "a", secretAccessKey: "b", region: "r", apiKey: undefined };
    const { result } = await tested(json({}), { upstream: keys });
    expect(result).toMatchObject({ outcome: "unlisted", why: expect.stringContaining("lists no models; name one") });
  });
});

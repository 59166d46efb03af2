import { sealSummary } from "@longhaul/fit";
import { events, json, openUpstream } from "@longhaul/fit/testing";
import { afterEach, describe, expect, it } from "vitest";
import { ask } from "../testing/serve.ts";
import { makeSnapshot } from "../testing/snapshot.ts";

const closers: (() => Promise<void>)[] = [];
afterEach(async () => {
  for (const close of closers.splice(0).reverse()) await close();
});

type Kind = "anthropic" | "openai" | "openai-compatible" | "gemini";

/** One upstream of each kind, in this order, all at one server. */
async function serving(kinds: readonly Kind[], handler = json('{ "ok":1.0 }'), routes: object[] = []) {
  const upstream = await openUpstream(handler);
  const urlOf = (kind: Kind) => (kind.startsWith("openai") ? `${upstream.url}/v1` : upstream.url);
  const upstreams = Object.fromEntries(
    kinds.map((kind) => [kind, { kind, baseUrl: urlOf(kind), apiKey: `key of ${kind}` }]),
  );
  const snapshot = makeSnapshot({ upstreams, routes });
  closers.push(upstream.close, snapshot.close);
  return { ...upstream, snapshot };
}

describe("pass", () => {
  it("passes on body, query, content type and answer unchanged", async () => {
    const { snapshot, seen } = await serving(["anthropic", "openai"]);
    const body = '--b\r\ncontent-disposition: form-data; name="file"\r\n\r\n{"model":"x"}\r\n--b--\r\n';
    const answer = await ask(snapshot, "/v1/files?purpose=a%20b", body, {
      headers: { "content-type": "multipart/form-data; boundary=b", authorization: "Bearer client" },
    });
    expect(answer).toMatchObject({ status: 200, text: '{ "ok":1.0 }' });
    expect(seen[0]).toMatchObject({ method: "POST", path: "/v1/files?purpose=a%20b", body });
    expect(seen[0]?.headers).toMatchObject({
      "content-type": "multipart/form-data; boundary=b",
      authorization: "Bearer key of openai",
    });
  });

  it.each([
    ["GET", "/v1/messages/batches/b1/results", "anthropic", { "x-api-key": "key of anthropic" }],
    ["DELETE", "/v1/files/f1", "openai-compatible", { authorization: "Bearer key of openai-compatible" }],
    ["GET", "/v1/responses/resp_1?include=a", "openai", { authorization: "Bearer key of openai" }],
  ] as const)("sends %s %s to the first upstream of that dialect", async (method, path, _, headers) => {
    const { snapshot, seen } = await serving(["anthropic", "openai-compatible", "openai"]);
    await ask(snapshot, path, undefined, { method });
    expect(seen[0]).toMatchObject({ method, path, body: "", headers });
  });

  it("recognizes Anthropic's files by the client's version header", async () => {
    const { snapshot, seen } = await serving(["openai", "anthropic"]);
    await ask(snapshot, "/v1/files", undefined, { method: "GET", headers: { "anthropic-version": "2023-06-01" } });
    expect(seen[0]?.headers).toMatchObject({ "x-api-key": "key of anthropic", "anthropic-version": "2023-06-01" });
  });

  it("follows the route of the model in the body and renames it", async () => {
    const routes = [
      { match: "embed", upstream: "openai", model: "text-embedding-3-small" },
      { match: "*", upstream: "openai-compatible" },
    ];
    const { snapshot, seen } = await serving(["openai-compatible", "openai"], undefined, routes);
    await ask(snapshot, "/v1/embeddings", '{ "input": "model",\n"model":"embed" }');
    await ask(snapshot, "/v1/embeddings", '{"model":"nomic", "input":[1.0]}');
    expect(seen.map(({ headers, body }) => [headers.authorization, body])).toEqual([
      ["Bearer key of openai", '{ "input": "model",\n"model":"text-embedding-3-small" }'],
      ["Bearer key of openai-compatible", '{"model":"nomic", "input":[1.0]}'],
    ]);
  });

  it("follows the route of the model in the path", async () => {
    const routes = [{ match: "embed", upstream: "gemini", model: "gemini-embedding-001" }];
    const { snapshot, seen } = await serving(["gemini"], undefined, routes);
    await ask(snapshot, "/v1beta/models/embed:embedContent", { content: { parts: [] } });
    expect(seen[0]?.path).toBe("/v1beta/models/gemini-embedding-001:embedContent");
  });

  it("passes on streams, and an upstream's error unchanged", async () => {
    const stream = ['data: {"choices":[{"text":"a"}]}\n\n', "data: [DONE]\n\n"];
    const streaming = await serving(["openai"], events(...stream));
    const answer = await ask(streaming.snapshot, "/v1/completions", "{}");
    expect([answer.headers["content-type"], answer.text]).toEqual(["text/event-stream", stream.join("")]);
    const failing = await serving(["openai"], json('{ "error": {} }', 500, { "x-request-id": "r" }));
    expect(await ask(failing.snapshot, "/v1/completions", "{}")).toMatchObject({
      status: 500,
      text: '{ "error": {} }',
      headers: { "x-request-id": "r" },
    });
    expect(failing.seen).toHaveLength(1);
  });

  it("passes on a stream without a reply's end, and replaces an error that is not JSON", async () => {
    const stream = 'event: image_generation.completed\ndata: {"type":"image_generation.completed"}\n\n';
    const image = await serving(["openai"], events(stream));
    expect((await ask(image.snapshot, "/v1/images/generations", '{"stream":true}')).text).toBe(stream);
    const failing = await serving(["openai"], json("<oops> at 10.0.0.1", 500, { "x-request-id": "r" }));
    const { status, text, headers } = await ask(failing.snapshot, "/v1/completions", "{}");
    expect([status, headers["x-request-id"], text]).toEqual([500, "r", expect.not.stringMatching(/oops|10\.0/)]);
    expect(JSON.parse(text)).toMatchObject({ error: { type: "server_error" } });
  });

  it("explains what to configure if no upstream has the path", async () => {
    const { snapshot, seen } = await serving(["anthropic"], undefined, [{ match: "*", upstream: "anthropic" }]);
    const unnamed = await ask(snapshot, "/v1/files", undefined, { method: "GET" });
    expect([unnamed.status, JSON.parse(unnamed.text).error.message]).toEqual([
      404,
      "no upstream serves /files; add an upstream of kind openai, openai-compatible or openrouter and a route to it",
    ]);
    const named = await ask(snapshot, "/v1/embeddings", { model: "m", input: "x" });
    expect([named.status, JSON.parse(named.text).error.message]).toEqual([
      404,
      'no upstream for the model "m" serves /embeddings; add an upstream of kind openai, openai-compatible or openrouter and a route to it',
    ]);
    expect(seen).toEqual([]);
  });
});

describe("compacting a response", () => {
  const body = { model: "m", input: [] };

  it("is passed on to a Responses upstream", async () => {
    const { snapshot, seen } = await serving(["openai"], undefined, [{ match: "*", upstream: "openai" }]);
    expect((await ask(snapshot, "/v1/responses/compact", body)).status).toBe(200);
    expect(seen[0]).toMatchObject({ path: "/v1/responses/compact", body: JSON.stringify(body) });
  });

  it("is passed on with our sealed summaries opened", async () => {
    const { snapshot, seen } = await serving(["openai"], undefined, [{ match: "*", upstream: "openai" }]);
    const item = { type: "compaction", id: "cmp_1", encrypted_content: sealSummary("We met.") };
    await ask(snapshot, "/v1/responses/compact", { model: "m", input: [item] });
    expect(JSON.parse(seen[0]?.body ?? "").input).toMatchObject([{ type: "message", role: "user" }]);
  });

  it("is done by the gateway if no upstream has the path and a model is named", async () => {
    const { snapshot } = await serving(["anthropic"], undefined, [{ match: "*", upstream: "anthropic" }]);
    const nothing = await ask(snapshot, "/v1/responses/compact", body);
    expect([nothing.status, JSON.parse(nothing.text).error]).toMatchObject([
      400,
      { message: "input: there are no messages to compact", param: "input" },
    ]);
    const unnamed = await ask(snapshot, "/v1/responses/compact", { input: "Hello" });
    expect([unnamed.status, JSON.parse(unnamed.text).error.message]).toEqual([
      400,
      "model: must be a non-empty string; list the models with GET /v1/models",
    ]);
  });
});

import { brotliCompressSync, deflateSync, gzipSync, zstdCompressSync } from "node:zlib";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { openSimulator, type Simulator } from "../simulator.ts";
import { post } from "../testing/post.ts";

let simulator: Simulator;
beforeAll(async () => {
  simulator = await openSimulator();
});
afterAll(() => simulator.close());

const headers = { "x-api-key": "key", "anthropic-version": "2023-06-01" };
const body = { model: "claude-opus-4-6", max_tokens: 9, messages: [{ role: "user", content: "hi" }] };

it("answers the same request with the same id, streamed or not", async () => {
  const url = `${simulator.url}/v1/messages`;
  const first = await post(url, body, headers);
  const second = await post(url, body, headers);
  const streamed = await fetch(url, { method: "POST", headers, body: JSON.stringify({ ...body, stream: true }) });
  const { id } = first.body as { id: string };
  expect(second.body).toMatchObject({ id });
  expect(await streamed.text()).toContain(`"id":"${id}"`);
});

it("has no answer for other paths, methods and bad escapes", async () => {
  expect((await post(`${simulator.url}/v1/nothing`, body, headers)).status).toBe(404);
  expect((await fetch(`${simulator.url}/v1/messages`)).status).toBe(404);
  expect((await fetch(`${simulator.url}/%zz`)).status).toBe(404);
});

it("says which faults there are when a header names another", async () => {
  const reply = await post(`${simulator.url}/v1/messages`, body, { ...headers, "x-simulate-fault": "flood" });
  expect(reply).toMatchObject({
    status: 400,
    body: { error: { message: expect.stringMatching(/^the simulator has no fault "flood"; it has status,/) } },
  });
});

it("owns up to its own bugs", async () => {
  const broken = await openSimulator({
    script: () => {
      throw new Error("oops");
    },
  });
  const reply = await post(`${broken.url}/v1/messages`, body, headers);
  expect(reply).toMatchObject({ status: 500, body: { error: { message: "the simulator failed: Error: oops" } } });
  await broken.close();
});

describe("readBody", () => {
  const body = JSON.stringify({ model: "claude-opus-4-6", max_tokens: 9, messages: [{ role: "user", content: "hi" }] });
  const send = (bytes: Uint8Array, encoding: string) =>
    fetch(`${simulator.url}/v1/messages`, {
      method: "POST",
      headers: { "x-api-key": "key", "anthropic-version": "1", "content-encoding": encoding },
      body: Buffer.from(bytes),
    });

  it.each([
    ["gzip", gzipSync],
    ["br", brotliCompressSync],
    ["zstd", zstdCompressSync],
    ["deflate", deflateSync],
    ["identity", (text: string) => Buffer.from(text)],
  ])("unpacks %s", async (encoding, pack) => {
    expect((await send(pack(body), encoding)).status).toBe(200);
  });

  it("takes a body that does not unpack for no JSON", async () => {
    expect((await send(Buffer.from(body), "gzip")).status).toBe(200);
    expect((await send(Buffer.from("{"), "gzip")).status).toBe(400);
  });
});

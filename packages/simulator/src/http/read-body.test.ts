import { brotliCompressSync, deflateSync, gzipSync, zstdCompressSync } from "node:zlib";
import { afterAll, beforeAll, expect, it } from "vitest";
import { openSimulator, type Simulator } from "../simulator.ts";

let simulator: Simulator;
beforeAll(async () => {
  simulator = await openSimulator();
});
afterAll(() => simulator.close());

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

import { brotliCompressSync, deflateSync, gzipSync, zstdCompressSync } from "node:zlib";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { openSimulator, type Simulator } from "../simulator.ts";
import { post } from "../testing/post.ts";
import { isControl } from "./answer-request.ts";

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

it("returns 404 for other paths, methods and bad escapes", async () => {
  expect((await post(`${simulator.url}/v1/nothing`, body, headers)).status).toBe(404);
  expect((await fetch(`${simulator.url}/v1/messages`)).status).toBe(404);
  expect((await fetch(`${simulator.url}/%zz`)).status).toBe(404);
});

it("lists the known faults if a header names another", async () => {
  const reply = await post(`${simulator.url}/v1/messages`, body, { ...headers, "x-simulate-fault": "flood" });
  expect(reply).toMatchObject({
    status: 400,
    body: { error: { message: expect.stringMatching(/^unknown fault "flood"; the simulator knows status,/) } },
  });
});

it("reports its own bugs", async () => {
  const broken = await openSimulator({
    script: () => {
      throw new Error("oops");
    },
  });
  const reply = await post(`${broken.url}/v1/messages`, body, headers);
  expect(reply).toMatchObject({
    status: 500,
    body: { error: { message: "internal error of the simulator: Error: oops" } },
  });
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

  it("treats a body that does not decompress as invalid JSON", async () => {
    expect((await send(Buffer.from(body), "gzip")).status).toBe(200);
    expect((await send(Buffer.from("{"), "gzip")).status).toBe(400);
  });
});

describe("control endpoints", () => {
  let simulator: Simulator;
  beforeAll(async () => {
    simulator = await openSimulator();
  });
  afterAll(() => simulator.close());

  const get = async (name: string) => (await fetch(`${simulator.url}/_simulator/${name}`)).json();
  const order = (name: string, body: unknown) => post(`${simulator.url}/_simulator/${name}`, body);
  const ask = () =>
    post(
      `${simulator.url}/v1/messages`,
      { model: "claude-opus-4-6", max_tokens: 9, messages: [{ role: "user", content: "hi" }] },
      { "x-api-key": "key", "anthropic-version": "1" },
    );

  it("work over HTTP and are not recorded", async () => {
    expect((await order("faults", { fault: "status=503", times: 2, path: "/v1/messages" })).status).toBe(200);
    expect([(await ask()).status, (await ask()).status, (await ask()).status]).toEqual([503, 503, 200]);
    expect(await get("requests")).toMatchObject([{ number: 1 }, { number: 2 }, { number: 3, api: "anthropic" }]);
    expect(await get("totals")).toMatchObject({ requests: 3, rejected: 2 });
    await order("reset", {});
    expect(await get("requests")).toEqual([]);
  });

  it("list what exists", async () => {
    expect(await order("faults", {})).toMatchObject({
      status: 400,
      body: { error: expect.stringMatching(/^the body needs a fault/) },
    });
    expect(await order("faults", { fault: "flood" })).toMatchObject({ status: 400 });
    expect(await order("nothing", {})).toMatchObject({ status: 404 });
    expect([isControl("/_simulator/totals"), isControl("/v1/messages")]).toEqual([true, false]);
  });
});

import { type IncomingMessage, request } from "node:http";
import { expect, it } from "vitest";
import { openSimulator } from "./simulator.ts";
import { post } from "./testing/post.ts";

const headers = { "x-api-key": "key", "anthropic-version": "2023-06-01" };
const body = { model: "claude-opus-4-6", max_tokens: 99, messages: [{ role: "user", content: "hi" }] };

it("listens on a free port, records, adds up and resets", async () => {
  const simulator = await openSimulator({ now: () => 42 });
  expect(simulator.url).toMatch(/^http:\/\/127\.0\.0\.1:\d+$/);
  await post(`${simulator.url}/v1/messages`, body, headers);
  await post(`${simulator.url}/v1/messages`, { ...body, max_tokens: -1 }, headers);
  expect(simulator.requests()).toMatchObject([
    { number: 1, atMs: 42, api: "anthropic", model: "claude-opus-4-6", body, costUsd: expect.any(Number) },
    { number: 2, rejected: { status: 400, message: "max_tokens: Input should be greater than or equal to 0" } },
  ]);
  expect(simulator.totals()).toMatchObject({ requests: 2, rejected: 1 });
  simulator.reset();
  expect(simulator.requests()).toEqual([]);
  await simulator.close();
  await expect(fetch(simulator.url)).rejects.toThrow();
});

it("applies faults from the options, from inject, and from a header", async () => {
  const simulator = await openSimulator({ faults: [{ fault: "status=529" }] });
  const ask = (more = {}) => post(`${simulator.url}/v1/messages`, body, { ...headers, ...more });
  expect((await ask()).status).toBe(529);
  expect((await ask()).status).toBe(200);
  simulator.inject("status=429, retry-after=3");
  const limited = await ask();
  expect([limited.status, limited.headers.get("retry-after")]).toEqual([429, "3"]);
  simulator.inject({ fault: "status=500", times: 2 });
  expect([(await ask()).status, (await ask()).status, (await ask()).status]).toEqual([500, 500, 200]);
  expect((await ask({ "x-simulate-fault": "status=503" })).status).toBe(503);
  expect(simulator.requests().map(({ faults }) => faults.join())).toEqual([
    "status=529",
    "",
    "status=429,retry-after=3",
    "status=500",
    "status=500",
    "",
    "status=503",
  ]);
  await simulator.close();
});

it("keeps its pace with the given clock", async () => {
  const waits: number[] = [];
  const wait = async (ms: number) => {
    waits.push(ms);
  };
  const simulator = await openSimulator({ pace: { firstByteMs: 100, gapMs: 5 }, wait });
  await fetch(`${simulator.url}/v1/messages`, {
    method: "POST",
    headers,
    body: JSON.stringify({ ...body, stream: true }),
  }).then((reply) => reply.text());
  expect(waits[0]).toBe(100);
  expect(waits.slice(1).every((ms) => ms === 5)).toBe(true);
  expect(waits.length).toBeGreaterThan(5);
  await simulator.close();
});

it("waits in real time by default, and records a client that leaves", async () => {
  const simulator = await openSimulator({ pace: { firstByteMs: 1 } });
  expect((await post(`${simulator.url}/v1/messages`, body, headers)).status).toBe(200);
  simulator.inject("stall");
  const gone = new AbortController();
  const reply = await fetch(`${simulator.url}/v1/messages`, {
    method: "POST",
    headers,
    body: JSON.stringify({ ...body, stream: true }),
    signal: gone.signal,
  });
  await reply.body?.getReader().read();
  gone.abort();
  while (!simulator.requests().some(({ isClosedEarly }) => isClosedEarly))
    await new Promise((resolve) => setImmediate(resolve));
  expect(simulator.totals().closedEarly).toBe(1);
  await simulator.close();
});

it("declines WebSocket upgrades", async () => {
  const simulator = await openSimulator();
  const upgrade = request(`${simulator.url}/v1/responses`, {
    headers: { connection: "Upgrade", upgrade: "websocket" },
  });
  const response = await new Promise<IncomingMessage>((resolve) => upgrade.on("response", resolve).end());
  expect(response.statusCode).toBe(426);
  await simulator.close();
});

it("rejects if the port is in use", async () => {
  const simulator = await openSimulator();
  const port = Number(new URL(simulator.url).port);
  await expect(openSimulator({ port })).rejects.toThrow(/EADDRINUSE/);
  await simulator.close();
});

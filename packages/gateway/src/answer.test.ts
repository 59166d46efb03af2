import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { afterEach, expect, it } from "vitest";
import { answerRequest } from "./answer.ts";
import { makeGate } from "./http/gate.ts";
import { openMemory } from "./memory.ts";
import { makeSnapshot } from "./testing/snapshot.ts";

let close = async () => {};
afterEach(() => close());

it("turns a bug of ours into an answer, and tells it to the log alone", async () => {
  const bugs: unknown[] = [];
  const snapshot = makeSnapshot({ upstreams: { u: { kind: "anthropic" } }, routes: [{ match: "*", upstream: "u" }] });
  const broken = { ...snapshot, places: new Map([["u", [{}]]]) } as unknown as typeof snapshot;
  const context = {
    snapshot: () => broken,
    gate: makeGate(() => 1),
    memory: openMemory(),
    onBug: (error: unknown) => void bugs.push(error),
  };
  const server = createServer((request, response) => void answerRequest(request, response, context));
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  close = async () => {
    await new Promise((resolve) => server.close(resolve));
    await snapshot.close();
  };
  const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}/v1/messages`;
  const response = await fetch(url, {
    method: "POST",
    body: '{"model":"claude-opus-4-6","messages":[]}',
    headers: { connection: "close" },
  });
  expect([response.status, await response.json()]).toMatchObject([
    500,
    { type: "error", error: { type: "api_error" } },
  ]);
  expect(bugs).toHaveLength(1);
});

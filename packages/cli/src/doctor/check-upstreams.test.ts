import { createServer, type Server } from "node:http";
import type { AddressInfo } from "node:net";
import { parseConfig } from "@longhaul/settings";
import { afterAll, beforeAll, expect, it } from "vitest";
import { checkUpstreams } from "./check-upstreams.ts";

let server: Server;
let url: string;

/** A vendor that takes one key. */
beforeAll(async () => {
  server = createServer((request, response) => {
    response.setHeader("content-type", "application/json");
    if (request.url?.startsWith("/lost")) response.writeHead(404).end('{"error":{"message":"nothing here"}}');
    else if (request.headers.authorization !== "Bearer good")
      response.writeHead(401).end('{"error":{"message":"bad key"}}');
    else response.end('{"data":[{"id":"m1"},{"id":"m2"}]}');
  });
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
});
afterAll(() => void server.close());

async function findings(upstream: object, isOffline = false) {
  const config = parseConfig(
    { upstreams: { up: { kind: "openai", baseUrl: `${url}/v1`, maxRetries: 0, ...upstream } } },
    {},
  );
  return await checkUpstreams(config, { environment: {}, isOffline });
}

it.each([
  [{ apiKey: "good" }, "good", "it answers, with 2 models"],
  [{ apiKey: "old" }, "bad", "status 401"],
  [{}, "note", "clients bring theirs"],
  [{ kind: "simulator", baseUrl: undefined }, "note", "built-in simulator"],
  [
    { kind: "bedrock", baseUrl: undefined, accessKeyId: "a", secretAccessKey: "s", region: "r" },
    "note",
    "lists no models",
  ],
])("judges %j", async (upstream, state, says) => {
  expect(await findings(upstream)).toEqual([
    expect.objectContaining({ what: "upstream up", state, says: expect.stringContaining(says) }),
  ]);
});

it("says what to do about each fault", async () => {
  const remedies = await Promise.all(
    [
      { apiKey: "old" },
      { apiKey: "good", baseUrl: `${url}/lost/v1` },
      { apiKey: "k", baseUrl: "http://127.0.0.1:1/v1" },
    ].map(async (upstream) => (await findings(upstream))[0]?.remedy),
  );
  expect(remedies).toEqual([
    "check upstreams.up.apiKey: the vendor does not take it",
    "check upstreams.up.baseUrl: nothing is served at that path",
    expect.stringContaining("the network"),
  ]);
});

it("asks nobody where it is told so", async () => {
  expect(await findings({ apiKey: "old" }, true)).toMatchObject([
    { state: "good", says: "it has a key; it was not asked" },
  ]);
  expect(await findings({}, true)).toMatchObject([{ state: "note" }]);
});

it("misses upstreams where there is none", async () => {
  expect(await checkUpstreams(parseConfig({}, {}), { environment: {}, isOffline: true })).toMatchObject([
    { state: "bad" },
  ]);
});

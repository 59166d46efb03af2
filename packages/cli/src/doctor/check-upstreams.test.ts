import { createServer, type Server } from "node:http";
import type { AddressInfo } from "node:net";
import { layerSettings, type SettingLayers } from "@longhaul/settings";
import { afterAll, beforeAll, expect, it } from "vitest";
import { checkUpstreams } from "./check-upstreams.ts";

let server: Server;
let url: string;

/** Starts a vendor that accepts one key. */
beforeAll(async () => {
  server = createServer((request, response) => {
    response.setHeader("content-type", "application/json");
    const [, status] = /^\/(\d{3})\//.exec(request.url ?? "") ?? [];
    if (status !== undefined) response.writeHead(Number(status)).end('{"error":{"message":"not now"}}');
    else if (request.headers.authorization !== "Bearer good")
      response.writeHead(401).end('{"error":{"message":"bad key"}}');
    else
      response.end(
        JSON.stringify({ data: request.url?.startsWith("/one/") ? [{ id: "m1" }] : [{ id: "m1" }, { id: "m2" }] }),
      );
  });
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
});
afterAll(() => void server.close());

async function findings(upstream: object, isOffline = false) {
  const up = { kind: "openai", baseUrl: `${url}/v1`, maxRetries: 0, ...upstream };
  return await check({ file: { upstreams: { up } } }, isOffline);
}

function check(layers: SettingLayers, isOffline = false) {
  return checkUpstreams(layerSettings(layers), { environment: {}, isOffline });
}

it.each([
  [{ apiKey: "good" }, "good", "answers, 2 models"],
  [{ apiKey: "old" }, "bad", "status 401"],
  [{}, "note", "clients send their own"],
  [{ kind: "simulator", baseUrl: undefined }, "note", "built-in simulator"],
  [
    { kind: "bedrock", baseUrl: undefined, accessKeyId: "a", secretAccessKey: "s", region: "r" },
    "note",
    "has no model list",
  ],
])("rates %j", async (upstream, state, message) => {
  expect(await findings(upstream)).toEqual([
    expect.objectContaining({ what: "upstream up", state, message: expect.stringContaining(message) }),
  ]);
});

it.each([
  ["a key that is refused", () => ({ apiKey: "old" }), "check upstreams.up.apiKey: the vendor rejected it"],
  ["a path that is not there", () => at("404"), "check upstreams.up.baseUrl: the server has no such path"],
  ["a vendor that has no time", () => at("429"), "try again later: the vendor is overloaded"],
  ["a vendor that fails", () => at("500"), "check upstreams.up.kind and upstreams.up.baseUrl"],
  ["an unreachable address", () => ({ apiKey: "k", baseUrl: "http://127.0.0.1:1/v1" }), "the network"],
])("suggests a remedy for %s", async (_, upstream, remedy) => {
  expect(await findings(upstream())).toMatchObject([{ state: "bad", remedy: expect.stringContaining(remedy) }]);
});

it.each([
  ["404", "key-of-the-gateway", "check OPENAI_BASE_URL: the server has no such path"],
  ["one", "old", "check OPENAI_API_KEY: the vendor rejected it"],
])("names the variables that the user set, not settings of a file (%s)", async (place, OPENAI_API_KEY, remedy) => {
  const environment = { OPENAI_API_KEY, OPENAI_BASE_URL: `${url}/${place}/v1` };
  expect(await check({ environment })).toMatchObject([{ what: "upstream openai", state: "bad", remedy }]);
});

const at = (place: string) => ({ apiKey: "good", baseUrl: `${url}/${place}/v1` });

it("uses the singular for one model", async () => {
  expect(await findings(at("one"))).toMatchObject([{ state: "good", message: "answers, 1 model" }]);
});

it("sends no requests when offline", async () => {
  expect(await findings({ apiKey: "old" }, true)).toMatchObject([
    { state: "good", message: "has an API key (not tested)" },
  ]);
  expect(await findings({}, true)).toMatchObject([{ state: "note" }]);
});

it("reports a configuration without upstreams", async () => {
  expect(await check({ file: {} }, true)).toMatchObject([{ state: "bad" }]);
});

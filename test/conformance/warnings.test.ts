import { type Gateway, openGateway } from "@longhaul/gateway";
import { openSimulator, type Simulator } from "@longhaul/simulator";
import { afterAll, beforeAll, expect, it } from "vitest";

let simulator: Simulator;
let gateway: Gateway;

beforeAll(async () => {
  simulator = await openSimulator();
  const upstreams = { up: { kind: "anthropic", baseUrl: simulator.url, apiKey: "key", maxRetries: 0 } };
  gateway = await openGateway({ file: { server: { port: 0 }, upstreams, routes: [{ match: "*", upstream: "up" }] } });
});
afterAll(async () => {
  await gateway.close();
  await simulator.close();
});

async function ask(fields: object): Promise<Response> {
  const body = { model: "claude-sonnet-4-5", messages: [{ role: "user", content: "simulate: say Yes." }], ...fields };
  const headers = { "content-type": "application/json", authorization: "Bearer key" };
  return fetch(`${gateway.url}/v1/chat/completions`, { method: "POST", headers, body: JSON.stringify(body) });
}

it.each([
  [{ tools: [{ type: "web_search" }] }, 'tool.server: the tool "web_search" runs on another vendor\'s servers'],
  [{ web_search_options: { search_context_size: "low" } }, "field.web_search_options"],
  [{ response_format: { type: "json_object" } }, "outputFormat.json"],
  [{ logprobs: true, top_logprobs: 1 }, "field.top_logprobs"],
  [{ logit_bias: { "1": 5 } }, "field.logit_bias"],
  [{ seed: 7 }, "sampling.seed"],
])("reports %j in a header if the upstream does not support it", async (fields, warning) => {
  for (const stream of [false, true]) {
    const response = await ask({ ...fields, stream });
    expect(response.status).toBe(200);
    expect(response.headers.get("x-longhaul-warnings")).toContain(warning);
    await response.text();
  }
});

it("sends no warnings header if nothing was dropped", async () => {
  const response = await ask({
    temperature: 0.5,
    stop: ["END"],
    stream: true,
    stream_options: { include_usage: true },
  });
  expect([response.status, response.headers.get("x-longhaul-warnings")]).toEqual([200, null]);
  await response.text();
});

it("rejects a field that would silently change the reply", async () => {
  const response = await ask({ n: 2 });
  expect(response.status).toBe(400);
  expect(await response.json()).toMatchObject({ error: { param: "n", message: expect.stringContaining("field.n") } });
});

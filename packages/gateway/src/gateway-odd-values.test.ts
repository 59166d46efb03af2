// Requests with prototype names and values of the wrong type, over real sockets.

import { json, openUpstream } from "@longhaul/fit/testing";
import { everyDamage, FORMATS } from "@longhaul/wire/testing";
import fc from "fast-check";
import { afterAll, beforeAll, expect, it } from "vitest";
import { type Gateway, openGateway } from "./gateway.ts";

const lines: string[] = [];
let gateway: Gateway;
let upstream: Awaited<ReturnType<typeof openUpstream>>;
beforeAll(async () => {
  upstream = await openUpstream(
    json({ id: "c", choices: [{ message: { role: "assistant", content: "Hello" }, finish_reason: "constructor" }] }),
  );
  const file = {
    server: { port: 0 },
    upstreams: { up: { kind: "openai", baseUrl: upstream.url, apiKey: "k", maxRetries: 0 } },
    routes: [{ match: "*", upstream: "up" }],
  };
  gateway = await openGateway({ file }, { writeLog: (line) => void lines.push(line) });
});
afterAll(async () => {
  await gateway.close();
  await upstream.close();
});

const PATHS: ReadonlyMap<string, string> = new Map([
  ["anthropic-messages", "/v1/messages"],
  ["openai-chat", "/v1/chat/completions"],
  ["openai-responses", "/v1/responses"],
  ["gemini", "/v1beta/models/constructor:generateContent"],
]);
/** Every position gets some of the odd values, and every odd value some of the positions. */
const EVERY_NTH = 37;

it.each(FORMATS)("never answers $codec.id with an internal error for an odd value at any position", async (format) => {
  const [body = {}] = fc.sample(format.anyBody(), { numRuns: 1, seed: 15 });
  const address = `${gateway.url}${PATHS.get(format.codec.id)}`;
  const damages = [...everyDamage({ ...body, stream: false })].filter((_, index) => index % EVERY_NTH === 0);
  for (const damaged of damages) {
    const response = await fetch(address, { method: "POST", body: JSON.stringify(damaged) });
    await response.body?.cancel();
    expect([response.status, damaged]).not.toEqual([500, damaged]);
  }
  expect(lines.filter((line) => line.includes("internal.bug") || line.includes("something went wrong"))).toEqual([]);
});

it.each(["__proto__", "constructor", "toString", "hasOwnProperty"])(
  "accepts %s as a model, a header and an upstream's stop reason",
  async (name) => {
    const body = { model: name, messages: [{ role: "user", content: "Hello" }], tools: [tool(name)] };
    const headers = { [name]: "x", "x-longhaul-strategy": name };
    for (const given of [{}, headers]) {
      const response = await fetch(`${gateway.url}/v1/chat/completions`, {
        method: "POST",
        body: JSON.stringify(body),
        headers: given,
      });
      await response.body?.cancel();
      expect(response.status).toBeLessThan(500);
    }
  },
);

function tool(name: string) {
  const properties = Object.fromEntries([[name, { type: name }]]);
  return {
    type: "function",
    function: {
      name,
      parameters: Object.fromEntries([
        ["properties", properties],
        [name, 1],
      ]),
    },
  };
}

it("reads an escaped key of one client correctly after another client sent a key with a backslash", async () => {
  const address = `${gateway.url}/v1/messages`;
  const call = (input: string) =>
    `{"model":"m","max_tokens":9,"messages":[{"role":"user","content":"Go"},{"role":"assistant","content":[{"type":"tool_use","id":"t1","name":"f","input":${input}}]},{"role":"user","content":[{"type":"tool_result","tool_use_id":"t1","content":"ok"}]}]}`;
  const post = async (body: string) => {
    const response = await fetch(address, { method: "POST", headers: { "x-api-key": "k" }, body });
    await response.body?.cancel();
  };
  await post(call('{"path":"a","\\\\":1}'));
  await post(call('{"path":"a","\\u540d":2}'));
  expect(upstream.seen.at(-1)?.body).toContain('{\\"path\\":\\"a\\",\\"名\\":2}');
});

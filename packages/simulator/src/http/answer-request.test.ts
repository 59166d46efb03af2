import { afterAll, beforeAll, expect, it } from "vitest";
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

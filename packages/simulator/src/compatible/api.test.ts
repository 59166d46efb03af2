import { afterAll, beforeAll, expect, it } from "vitest";
import { openSimulator, type Simulator } from "../simulator.ts";
import { post } from "../testing/post.ts";

let simulator: Simulator;
beforeAll(async () => {
  simulator = await openSimulator();
});
afterAll(() => simulator.close());

const headers = { authorization: "Bearer key" };
const messages = [{ role: "user", content: "hello" }];
const ask = (body: object, given: Record<string, string> = headers) =>
  post(`${simulator.url}/compatible/v1/chat/completions`, { messages, ...body }, given);

it("serves DeepSeek's and Moonshot's models by their own names", async () => {
  expect(await ask({ model: "deepseek-v4-pro" })).toMatchObject({ status: 200 });
  expect(await ask({ model: "kimi-k2.6" })).toMatchObject({ status: 200 });
  expect(simulator.requests().at(-1)).toMatchObject({ api: "openai-compatible", model: "kimi-k2.6" });
});

it("refuses other models, and whoever has no key", async () => {
  expect(await ask({ model: "gpt-4o" })).toMatchObject({
    status: 400,
    body: { error: { message: "Model Not Exist" } },
  });
  expect((await ask({ model: "kimi-k2.6" }, {})).status).toBe(401);
});

import OpenAI, { AuthenticationError, NotFoundError } from "openai";
import { afterAll, beforeAll, expect, it } from "vitest";
import { openSimulator, type Simulator } from "../simulator.ts";

let simulator: Simulator;
beforeAll(async () => {
  simulator = await openSimulator();
});
afterAll(() => simulator.close());

it("lists models for OpenAI's SDK", async () => {
  const client = new OpenAI({ baseURL: `${simulator.url}/v1`, apiKey: "key", maxRetries: 0 });
  const ids: string[] = [];
  for await (const { id } of client.models.list()) ids.push(id);
  expect(ids).toContain("gpt-4o");
  expect(await client.models.retrieve("gpt-4o")).toMatchObject({ id: "gpt-4o", object: "model" });
  await expect(client.models.retrieve("gpt-nope")).rejects.toThrow(NotFoundError);
});

it("wants a key", async () => {
  const client = new OpenAI({
    baseURL: `${simulator.url}/v1`,
    apiKey: "key",
    maxRetries: 0,
    defaultHeaders: { authorization: null },
  });
  await expect(client.models.retrieve("gpt-4o")).rejects.toThrow(AuthenticationError);
});

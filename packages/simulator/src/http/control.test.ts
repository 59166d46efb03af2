import { afterAll, beforeAll, expect, it } from "vitest";
import { openSimulator, type Simulator } from "../simulator.ts";
import { post } from "../testing/post.ts";
import { isControl } from "./control.ts";

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

it("is asked and ordered over HTTP, and does not record that", async () => {
  expect((await order("faults", { fault: "status=503", times: 2, path: "/v1/messages" })).status).toBe(200);
  expect([(await ask()).status, (await ask()).status, (await ask()).status]).toEqual([503, 503, 200]);
  expect(await get("requests")).toMatchObject([{ number: 1 }, { number: 2 }, { number: 3, api: "anthropic" }]);
  expect(await get("totals")).toMatchObject({ requests: 3, rejected: 2 });
  await order("reset", {});
  expect(await get("requests")).toEqual([]);
});

it("says what it has", async () => {
  expect(await order("faults", {})).toMatchObject({
    status: 400,
    body: { error: expect.stringMatching(/^give a fault/) },
  });
  expect(await order("faults", { fault: "flood" })).toMatchObject({ status: 400 });
  expect(await order("nothing", {})).toMatchObject({ status: 404 });
  expect([isControl("/_simulator/totals"), isControl("/v1/messages")]).toEqual([true, false]);
});

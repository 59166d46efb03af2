import { json, openUpstream } from "@longhaul/fit/testing";
import { afterEach, describe, expect, it } from "vitest";
import { makeMemory } from "../testing/memory.ts";
import { ask } from "../testing/serve.ts";
import { makeSnapshot } from "../testing/snapshot.ts";

const closers: (() => Promise<void>)[] = [];
afterEach(async () => {
  for (const close of closers.splice(0).reverse()) await close();
});

/** A client that has been given one response, `resp_1`, for 25 items. */
async function client() {
  const message = { role: "assistant", content: "Yes." };
  const upstream = await openUpstream(json({ id: "c", model: "m", choices: [{ message, finish_reason: "stop" }] }));
  const snapshot = makeSnapshot({
    upstreams: { up: { kind: "openai-compatible", baseUrl: `${upstream.url}/v1` } },
    routes: [{ match: "*", upstream: "up" }],
  });
  closers.push(upstream.close, snapshot.close);
  const memory = await makeMemory();
  const input = Array.from({ length: 25 }, (_, at) => ({ role: "user", content: `${at}` }));
  await ask(snapshot, "/v1/responses", { model: "m", input }, { memory, id: "lh_1" });
  return async (target: string, method = "GET") => {
    const { status, text } = await ask(snapshot, target, undefined, { memory, method });
    return { status, body: JSON.parse(text), asked: upstream.seen.length };
  };
}

describe("answerKept", () => {
  it("lists twenty items and reports that there are more", async () => {
    const get = await client();
    const { body } = await get("/v1/responses/resp_1/input_items");
    expect(body).toMatchObject({
      object: "list",
      first_id: "msg_resp_1_input_24",
      last_id: "msg_resp_1_input_5",
      has_more: true,
    });
    expect(body.data).toHaveLength(20);
    const next = await get("/responses/resp_1/input_items?after=msg_resp_1_input_5");
    expect([next.body.data.length, next.body.has_more]).toEqual([5, false]);
    const none = await get("/v1/responses/resp_1/input_items?after=msg_resp_1_input_0");
    expect(none.body).toEqual({ object: "list", data: [], first_id: null, last_id: null, has_more: false });
  });

  it.each([
    ["GET", "/v1/responses/resp_1/input_items?limit=0", 400, "limit"],
    ["GET", "/v1/responses/resp_1/input_items?limit=x", 400, "limit"],
    ["GET", "/v1/responses/resp_1/input_items?after=msg_9", 404, "after"],
    ["GET", "/v1/responses/resp_1?stream=true", 400, "stream"],
    ["GET", "/v1/responses/resp_9", 404, "id"],
    ["GET", "/v1/responses/resp_9/input_items", 404, "id"],
    ["DELETE", "/v1/responses/resp_9", 404, "id"],
  ])("rejects %s %s with %d and names the field", async (method, target, status, param) => {
    const send = await client();
    const answer = await send(target, method);
    expect(answer).toMatchObject({ status, body: { error: { type: "invalid_request_error", param } }, asked: 1 });
  });

  it("leaves other requests about a response to an upstream", async () => {
    const send = await client();
    const { body } = await send("/v1/responses/resp_1/cancel", "POST");
    expect(body.error.message).toContain("no upstream serves /responses/resp_1/cancel");
  });
});

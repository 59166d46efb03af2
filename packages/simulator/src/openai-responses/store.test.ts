import { expect, it } from "vitest";
import { makeWorld } from "../core/world.ts";
import { makeCall } from "../testing/make.ts";
import type { FinishedResponse } from "./reply.ts";
import { deleteResponse, retrieveResponse, storeResponse } from "./store.ts";

const reasoning = { id: "rs_1", type: "reasoning" };
const message = { id: "msg_1", type: "message" };
const finished: FinishedResponse = {
  id: "resp_1",
  created: 5,
  body: { model: "gpt-5" },
  output: [reasoning, message],
  status: "completed",
  usage: null,
  error: null,
};
const user = { role: "user", content: "hi" };

it("keeps what later requests continue from, and what led to what", () => {
  const world = makeWorld({});
  storeResponse({ finished, items: [user] }, world);
  expect(world.stored.get("resp_1")?.items).toEqual([user, reasoning, message]);
  expect([...world.storedItems]).toEqual([
    ["rs_1", { item: reasoning }],
    ["msg_1", { item: message, requires: "rs_1" }],
  ]);
});

it("gives stored responses back and deletes them", () => {
  const world = makeWorld({});
  storeResponse({ finished, items: [user] }, world);
  const call = makeCall({ params: ["resp_1"] });
  expect(retrieveResponse(call, world)).toMatchObject({ status: 200, body: { id: "resp_1" } });
  expect(deleteResponse(call, world)).toMatchObject({ body: { deleted: true } });
  expect(() => retrieveResponse(call, world)).toThrow(
    expect.objectContaining({ status: 404, message: "Response with id 'resp_1' not found." }),
  );
});

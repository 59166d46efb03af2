import { IncomingMessage, ServerResponse } from "node:http";
import { Socket } from "node:net";
import { expect, it } from "vitest";
import { openExchange } from "./exchange.ts";
import { makeSnapshot } from "./testing/snapshot.ts";

it("gives every request an id and notes of its own", () => {
  const request = new IncomingMessage(new Socket());
  const open = () => openExchange(request, new ServerResponse(request), makeSnapshot({}));
  const [one, other] = [open(), open()];
  one.note({ model: "m" });
  expect(one.id).not.toBe(other.id);
  expect([one.notes(), other.notes()]).toEqual([{ model: "m" }, {}]);
  expect(Math.abs(one.atMs - Date.now())).toBeLessThan(60_000);
});

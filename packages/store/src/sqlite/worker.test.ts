import { once } from "node:events";
import { Worker } from "node:worker_threads";
import { afterAll, expect, it } from "vitest";
import type { WorkerRequest } from "./connection.ts";

const worker = new Worker(new URL("./worker.ts", import.meta.url));
afterAll(() => worker.terminate());

it("opens one database after another, and responds to each request by its id", async () => {
  expect(await ask({ id: 1, kind: "open", path: ":memory:", busyTimeoutMs: 0 })).toEqual(done(1));
  expect(await ask({ id: 2, kind: "execute", sql: "create table words (word)", parameters: [] })).toEqual(
    done(2, { rows: [], changes: 0 }),
  );
  expect(await ask({ id: 3, kind: "close" })).toEqual(done(3));
  expect(await ask({ id: 4, kind: "open", path: ":memory:", busyTimeoutMs: 0 })).toEqual(done(4));
  expect(await ask({ id: 5, kind: "execute", sql: "select word from words", parameters: [] })).toEqual({
    id: 5,
    kind: "failed",
    failure: { message: "no such table: words", code: "ERR_SQLITE_ERROR", errcode: 1 },
  });
});

it("reports a file that cannot be opened", async () => {
  expect(await ask({ id: 6, kind: "open", path: "/absent/store.db", busyTimeoutMs: 0 })).toMatchObject({
    kind: "failed",
    failure: { message: "unable to open database file", errcode: 14 },
  });
});

async function ask(message: WorkerRequest): Promise<unknown> {
  worker.postMessage(message);
  const [answer] = await once(worker, "message");
  return answer;
}

function done(id: number, executed: object = { rows: [] }) {
  return { id, kind: "done", executed };
}

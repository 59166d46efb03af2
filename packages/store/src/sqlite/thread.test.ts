import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { DatabaseThread } from "./thread.ts";

describe("DatabaseThread", () => {
  let thread: DatabaseThread;
  beforeEach(async () => {
    thread = new DatabaseThread();
    await thread.ask({ kind: "open", path: ":memory:", busyTimeoutMs: 0 });
  });
  afterEach(() => thread.stop());

  it("does things in the order in which they are asked", async () => {
    const asked = ["create table words (word)", "insert into words values ('a')", "select word from words"];
    const done = await Promise.all(asked.map((sql) => thread.ask({ kind: "execute", sql, parameters: [] })));
    expect(done).toEqual([{ rows: [], changes: 0 }, { rows: [], changes: 1 }, { rows: [{ word: "a" }] }]);
  });

  it("tells what SQLite says, with its codes", async () => {
    const failing = thread.ask({ kind: "execute", sql: "select * from absent", parameters: [] });
    await expect(failing).rejects.toMatchObject({
      message: "no such table: absent",
      code: "ERR_SQLITE_ERROR",
      errcode: 1,
    });
  });

  it("is stopped with those who wait for it, and refuses from then on", async () => {
    const waiting = thread.ask({ kind: "execute", sql: LONG, parameters: [] });
    const stopping = thread.stop();
    await expect(waiting).rejects.toThrow("its thread has stopped");
    await stopping;
    expect(thread.isStopped).toBe(true);
    await expect(thread.ask({ kind: "close" })).rejects.toThrow("its thread has stopped");
  });
});

/** Work for a while: a thread that has begun with it stops only after it. */
const LONG =
  "with recursive numbers(n) as (values(1) union all select n + 1 from numbers where n < 3000000) select sum(n) from numbers";

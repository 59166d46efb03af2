import { DatabaseSync } from "node:sqlite";
import { LonghaulError } from "@longhaul/conversation";
import { describe, expect, it } from "vitest";
import { translated } from "./sqlite-error.ts";

describe("translated", () => {
  it("calls a closed database unavailable", () => {
    const database = new DatabaseSync(":memory:");
    database.close();
    expect(codeOf(() => database.exec("select 1"))).toBe("store.unavailable");
  });

  it("calls a database whose schema was broken damaged, and says what to do", () => {
    const database = new DatabaseSync(":memory:", { defensive: false });
    database.exec(
      "create table epochs (scope text); pragma writable_schema = on; update sqlite_schema set rootpage = 99",
    );
    database.exec("pragma writable_schema = reset");
    expect(() => attempt(() => database.exec("select * from epochs"))).toThrow(
      /store\.db cannot be used: .*malformed.* Move it aside together with its -wal and -shm files/,
    );
    expect(codeOf(() => database.exec("select * from epochs"))).toBe("store.damaged");
    database.close();
  });

  it("calls everything else that SQLite refuses unavailable, with its reason", () => {
    const database = new DatabaseSync(":memory:");
    expect(() => attempt(() => database.exec("select * from absent"))).toThrow(
      /store\.db cannot be used right now: no such table: absent/,
    );
    database.close();
  });

  it.each([[new TypeError("no")], [new LonghaulError("internal.bug", "no")], ["no"]])("passes %s on", (thrown) => {
    const fail = () => {
      throw thrown;
    };
    expect(() => attempt(fail)).toThrow(thrown);
  });

  function codeOf(run: () => unknown): unknown {
    try {
      return attempt(run);
    } catch (error) {
      return error instanceof LonghaulError ? error.code : error;
    }
  }

  function attempt(run: () => unknown): unknown {
    try {
      return run();
    } catch (error) {
      throw translated(error, "store.db");
    }
  }
});

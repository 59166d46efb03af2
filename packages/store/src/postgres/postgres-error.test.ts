import { LonghaulError } from "@longhaul/conversation";
import { DatabaseError } from "pg";
import { describe, expect, it } from "vitest";
import { inOurWords } from "./postgres-error.ts";

const PLACE = "longhaul at db:5432";

describe("inOurWords", () => {
  it.each([
    ["28P01", "check the user and the password in its address"],
    ["28000", "check the user and the password in its address"],
    ["3D000", "create the database, or name another in its address"],
    ["42P07", "it has tables of another program; name a database of Longhaul's own"],
    ["53300", "allow it more connections, or put a pooler before it"],
    ["25006", "name the primary, not a replica that can only be read"],
    ["57P01", "check that it runs and can be reached"],
  ])("says what to do about %s", (code, advice) => {
    expect(inOurWords(makeError(code), PLACE)).toMatchObject({
      code: "store.unavailable",
      retryable: true,
      message: `the database longhaul at db:5432 cannot be used right now: because; ${advice}`,
    });
  });

  it.each(["XX001", "XX002"])("calls %s damage", (code) => {
    expect(inOurWords(makeError(code), PLACE)).toMatchObject({
      code: "store.damaged",
      message: "the database longhaul at db:5432 is damaged: because. Restore a copy, or name another database",
    });
  });

  it("names every address of a host that none answers at", () => {
    const refusals = ["::1", "127.0.0.1"].map((address) => new Error(`connect ECONNREFUSED ${address}:5432`));
    expect(inOurWords(new AggregateError(refusals), PLACE)).toMatchObject({
      message: expect.stringContaining(
        "right now: connect ECONNREFUSED ::1:5432, connect ECONNREFUSED 127.0.0.1:5432;",
      ),
    });
  });

  it.each([[new LonghaulError("store.newer", "no")], ["no"], [undefined]])("passes %s on", (error) => {
    expect(inOurWords(error, PLACE)).toBe(error);
  });

  function makeError(code: string): DatabaseError {
    return Object.assign(new DatabaseError("because", 0, "error"), { code });
  }
});

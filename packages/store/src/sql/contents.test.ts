import { DatabaseSync } from "node:sqlite";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import type { Contents } from "../contract/events.ts";
import { makeContent } from "../testing/make.ts";
import { explainQueries, openDatabase } from "../testing/open-database.ts";
import { makeContents } from "./contents.ts";
import type { Database } from "./tables.ts";

describe("makeContents", () => {
  let connection: DatabaseSync;
  let database: Database;
  let contents: Contents;
  beforeEach(async () => {
    connection = new DatabaseSync(":memory:");
    database = await openDatabase(connection);
    contents = makeContents(database);
  });
  afterEach(() => database.destroy());

  it("uses an index to clear a session and to find a request", async () => {
    await contents.put(makeContent());
    expect(await explainQueries(connection, () => contents.find("request"))).toEqual([
      expect.stringMatching(/^SEARCH contents USING INDEX \w+ \(request_id=\?\)$/),
    ]);
    expect(await explainQueries(connection, () => contents.clear("tenant", "session"))).toEqual([
      "SEARCH contents USING INDEX contents_by_session (session=? AND tenant=?)",
    ]);
  });

  it("returns plain byte arrays", async () => {
    await contents.put(makeContent({ before: Buffer.from("before"), after: Buffer.from("after") }));
    const { before, after } = (await contents.find("request")) ?? {};
    expect([before, after].map((bytes) => bytes?.constructor)).toEqual([Uint8Array, Uint8Array]);
  });
});

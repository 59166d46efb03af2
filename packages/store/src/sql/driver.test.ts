import { CompiledQuery } from "kysely";
import { beforeEach, describe, expect, it } from "vitest";
import { type Connections, ConnectionsDriver } from "./driver.ts";

describe("ConnectionsDriver", () => {
  let done: string[];
  beforeEach(() => {
    done = [];
  });

  it("runs statements and transactions on its connection", async () => {
    const driver = new ConnectionsDriver(makeConnections());
    const connection = await driver.acquireConnection();
    await driver.beginTransaction(connection);
    await connection.executeQuery(CompiledQuery.raw("select ?", [1]));
    await driver.commitTransaction(connection);
    await driver.releaseConnection(connection);
    expect(done).toEqual(["begin now", "select ? [1]", "commit", "released sound"]);
  });

  it("rolls back, and marks the connection as broken if that fails", async () => {
    for (const refused of ["", "rollback"]) {
      const driver = new ConnectionsDriver(makeConnections(refused));
      const connection = await driver.acquireConnection();
      await driver.rollbackTransaction(connection);
      await driver.releaseConnection(connection);
    }
    expect(done).toEqual(["rollback", "released sound", "rollback", "released broken"]);
  });

  it("does not support streaming", async () => {
    const connection = await new ConnectionsDriver(makeConnections()).acquireConnection();
    expect(() => connection.streamQuery(CompiledQuery.raw("select 1"), 1)).toThrow("streaming rows is not supported");
  });

  function makeConnections(refused = ""): Connections {
    return {
      begin: "begin now",
      acquire: async () => ({
        async execute(sql, parameters) {
          done.push(parameters.length === 0 ? sql : `${sql} ${JSON.stringify(parameters)}`);
          if (sql === refused) throw new Error("no connection");
          return { rows: [] };
        },
        release: (isBroken) => void done.push(isBroken ? "released broken" : "released sound"),
      }),
    };
  }
});

import { type Migration, makeTable, type TableShape } from "./migration.ts";

export const contents: Migration = {
  name: "contents",
  async run({ schema }) {
    await makeTable(schema, "contents", CONTENTS);
    await schema.createIndex("contentsBySession").on("contents").columns(["session", "tenant"]).execute();
    await schema.createIndex("contentsByTime").on("contents").column("atMs").execute();
  },
};

const CONTENTS: TableShape = {
  columns: {
    requestId: "text",
    tenant: "text",
    session: "text",
    atMs: "double precision",
    wire: "text",
    sentWire: "text",
    bytes: "double precision",
    before: "bytea",
    after: "bytea",
  },
  key: ["requestId"],
  optional: ["after"],
};

import { bytes, type Migration, makeTable, numbers, type TableShape, texts } from "./migration.ts";

export const contents: Migration = {
  name: "contents",
  async run({ schema }) {
    await makeTable(schema, "contents", CONTENTS);
    await schema.createIndex("contentsBySession").on("contents").columns(["session", "tenant"]).execute();
    await schema.createIndex("contentsByTime").on("contents").column("atMs").execute();
  },
};

const CONTENTS: TableShape = {
  columns: [
    ...texts("requestId", "tenant", "session"),
    ...numbers("atMs"),
    ...texts("wire", "sentWire"),
    ...numbers("bytes"),
    ...bytes("before", "after"),
  ],
  key: ["requestId"],
  optional: ["after"],
};

import { bytes, type Migration, makeTable, numbers, type TableShape, texts } from "./migration.ts";

export const fronts: Migration = {
  name: "fronts",
  async run({ schema }) {
    await makeTable(schema, "fronts", FRONTS);
    await schema.createIndex("frontsByTime").on("fronts").column("atMs").execute();
  },
};

const FRONTS: TableShape = {
  columns: [...texts("key", "rest"), ...numbers("bytes", "atMs"), ...bytes("facts")],
  key: ["key", "rest"],
};

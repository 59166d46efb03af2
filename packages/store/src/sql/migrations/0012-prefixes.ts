import { type Migration, makeTable, numbers, texts } from "./migration.ts";

/** Adds the records of known beginnings of conversations. */
export const prefixes: Migration = {
  name: "prefixes",
  async run({ schema }) {
    await makeTable(schema, "prefixes", {
      columns: [...texts("opening"), ...numbers("storedAtMs"), ...texts("state")],
      key: ["opening"],
    });
    await schema.createIndex("prefixesByTime").on("prefixes").column("storedAtMs").execute();
  },
};

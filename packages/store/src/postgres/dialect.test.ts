import { Kysely } from "kysely";
import { expect, it } from "vitest";
import { postgresDialect } from "./dialect.ts";

interface Words {
  readonly words: { readonly word: string };
}

it("writes queries as PostgreSQL reads them, and sends them over the connections", async () => {
  const sent: string[] = [];
  const connections = {
    begin: "begin",
    acquire: async () => ({
      async execute(sql: string) {
        sent.push(sql);
        return { rows: [] };
      },
      release() {},
    }),
  };
  const database = new Kysely<Words>({ dialect: postgresDialect(connections) });
  await database.transaction().execute(async (transaction) => {
    await transaction.selectFrom("words").select("word").where("word", "=", "a").execute();
  });
  expect(sent).toEqual(["begin", 'select "word" from "words" where "word" = $1', "commit"]);
});

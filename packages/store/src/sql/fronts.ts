import type { ExpressionBuilder } from "kysely";
import type { FrontName, Fronts } from "../contract/store.ts";
import { toPlainBytes } from "./contents.ts";
import type { Engine } from "./engine.ts";
import { countDeleted, type Database, type Tables } from "./tables.ts";

const MAX_FOUND = 100;

export function makeFronts({ database, isAmong, nowMs }: Engine): Fronts {
  return {
    async find(keys) {
      return await database
        .selectFrom("fronts")
        .select(["key", "rest", "bytes"])
        .where(isAmong("key", [...new Set(keys)]))
        .orderBy("bytes", "desc")
        .orderBy("rest")
        .limit(MAX_FOUND)
        .execute();
    },
    async read(front) {
      const row = await database.selectFrom("fronts").select("facts").where(isFront(front)).executeTakeFirst();
      return row && toPlainBytes(row.facts);
    },
    async put({ key, rest, bytes }, facts) {
      const row = { key, rest, bytes, facts, atMs: nowMs() };
      await database
        .insertInto("fronts")
        .values(row)
        .onConflict((conflict) => conflict.columns(["key", "rest"]).doUpdateSet(row))
        .execute();
    },
    async remove(front) {
      await database.deleteFrom("fronts").where(isFront(front)).execute();
    },
    async prune(storedBeforeMs, maxBytes) {
      const old = await countDeleted(database.deleteFrom("fronts").where("atMs", "<", storedBeforeMs));
      return old + (await countDeleted(deleteOverSize(database, maxBytes)));
    },
  };
}

function isFront({ key, rest }: FrontName) {
  return ({ and }: ExpressionBuilder<Tables, "fronts">) => and({ key, rest });
}

/** Sums each front's size with all newer ones. */
function deleteOverSize(database: Database, maxBytes: number) {
  const weighed = database.selectFrom("fronts").select(({ fn }) => [
    "key",
    "rest",
    fn
      .sum(fn<number>("octet_length", ["facts"]))
      .over((over) => over.orderBy("atMs", "desc").orderBy("key").orderBy("rest"))
      .as("size"),
  ]);
  return database
    .deleteFrom("fronts")
    .where(({ eb, refTuple, selectFrom }) =>
      eb(
        refTuple("key", "rest"),
        "in",
        selectFrom(weighed.as("weighed"))
          .select(["weighed.key", "weighed.rest"])
          .where("weighed.size", ">", maxBytes)
          .$asTuple("key", "rest"),
      ),
    );
}

import type { ExpressionBuilder } from "kysely";
import type { FrontName, Fronts } from "../contract/store.ts";
import { toPlainBytes } from "./contents.ts";
import type { Engine } from "./engine.ts";
import { type Database, deleteOneByOne, SELECTED_ROWS, type Tables } from "./tables.ts";

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
    async put({ key, rest, bytes }, facts, replaced) {
      const row = { key, rest, bytes, facts, atMs: nowMs() };
      await database
        .insertInto("fronts")
        .values(row)
        .onConflict((conflict) => conflict.columns(["key", "rest"]).doUpdateSet(row))
        .execute();
      if (replaced !== undefined) await database.deleteFrom("fronts").where(isFront(replaced)).execute();
    },
    async prune(storedBeforeMs, maxBytes) {
      const old = () =>
        database
          .selectFrom("fronts")
          .select(["key", "rest", "atMs"])
          .where("atMs", "<", storedBeforeMs)
          .limit(SELECTED_ROWS)
          .execute();
      const deletionOf = ({ key, rest, atMs }: StoredFront) =>
        database.deleteFrom("fronts").where(isFront({ key, rest })).where("atMs", "=", atMs);
      const count = await deleteOneByOne(old, deletionOf);
      return count + (await deleteOneByOne(() => selectOverSize(database, maxBytes), deletionOf));
    },
  };
}

type StoredFront = Pick<Tables["fronts"], "key" | "rest" | "atMs">;

function isFront({ key, rest }: Pick<FrontName, "key" | "rest">) {
  return ({ and }: ExpressionBuilder<Tables, "fronts">) => and({ key, rest });
}

/** Sums each front's size with all newer ones. Returns the oldest fronts whose sums exceed the limit. */
async function selectOverSize(database: Database, maxBytes: number): Promise<readonly StoredFront[]> {
  const weighed = database.selectFrom("fronts").select(({ fn }) => [
    "key",
    "rest",
    "atMs",
    fn
      .sum(fn<number>("octet_length", ["facts"]))
      .over((over) => over.orderBy("atMs", "desc").orderBy("key").orderBy("rest"))
      .as("size"),
  ]);
  return await database
    .selectFrom(weighed.as("weighed"))
    .select(["key", "rest", "atMs"])
    .where("size", ">", maxBytes)
    .limit(SELECTED_ROWS)
    .execute();
}

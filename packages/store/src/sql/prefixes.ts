import type { Prefixes } from "../contract/store.ts";
import type { Engine } from "./engine.ts";
import { countDeleted, type Database } from "./tables.ts";

export function makePrefixes({ database, nowMs, isAmong, insertRows }: Engine): Prefixes {
  return {
    async find(openings) {
      return await database
        .selectFrom("prefixes")
        .select(["opening", "state"])
        .where(isAmong("opening", [...new Set(openings)]))
        .execute();
    },
    async put(prefixes) {
      const storedAtMs = nowMs();
      const rows = [...new Map(prefixes.map((prefix) => [prefix.opening, prefix])).values()];
      if (rows.length === 0) return;
      await database.transaction().execute((transaction) =>
        insertRows(
          transaction,
          {
            table: "prefixes",
            finish: (insert) =>
              insert.onConflict((conflict) =>
                conflict.column("opening").doUpdateSet(({ ref }) => ({
                  storedAtMs: ref("excluded.storedAtMs"),
                  state: ref("excluded.state"),
                })),
              ),
          },
          rows.map(({ opening, state }) => ({ opening, storedAtMs, state })),
        ),
      );
    },
    async prune(unusedSinceMs, maxBytes) {
      const unused = await countDeleted(database.deleteFrom("prefixes").where("storedAtMs", "<", unusedSinceMs));
      return unused + (await countDeleted(deleteOverSize(database, maxBytes)));
    },
  };
}

/** Sums the size of each with all that were stored later. */
function deleteOverSize(database: Database, maxBytes: number) {
  const weighed = database.selectFrom("prefixes").select(({ fn }) => [
    "opening",
    fn
      .sum(fn<number>("octet_length", ["state"]))
      .over((over) => over.orderBy("storedAtMs", "desc").orderBy("opening"))
      .as("bytes"),
  ]);
  return database
    .deleteFrom("prefixes")
    .where(({ eb, selectFrom }) =>
      eb(
        "opening",
        "in",
        selectFrom(weighed.as("weighed")).select("weighed.opening").where("weighed.bytes", ">", maxBytes),
      ),
    );
}

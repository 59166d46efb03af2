import type { Leases } from "../contract/leases.ts";
import type { Database } from "./tables.ts";

/** Leases in a database. */
export function makeLeases(database: Database): Leases {
  return {
    async take({ name, holder, nowMs, untilMs }) {
      const taken = await database
        .insertInto("leases")
        .values({ name, holder, untilMs })
        .onConflict((conflict) =>
          conflict
            .column("name")
            .doUpdateSet({ holder, untilMs })
            .where(({ eb, or }) => or([eb("leases.untilMs", "<=", nowMs), eb("leases.holder", "=", holder)])),
        )
        .returning("name")
        .executeTakeFirst();
      return taken !== undefined;
    },
    async held(names, nowMs) {
      if (names.length === 0) return new Set();
      const rows = await database
        .selectFrom("leases")
        .select("name")
        .where("name", "in", names)
        .where("untilMs", ">", nowMs)
        .execute();
      return new Set(rows.map(({ name }) => name));
    },
    async release(name, holder) {
      await database.deleteFrom("leases").where("name", "=", name).where("holder", "=", holder).execute();
    },
    async prune(nowMs) {
      const expired = database.deleteFrom("leases").where("untilMs", "<=", nowMs);
      return Number((await expired.executeTakeFirstOrThrow()).numDeletedRows);
    },
  };
}

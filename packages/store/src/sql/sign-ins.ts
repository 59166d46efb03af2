import type { SignIns } from "../contract/sign-ins.ts";
import type { Database } from "./tables.ts";

/** Sign-ins in a database. */
export function makeSignIns(database: Database): SignIns {
  return {
    async add(hash, expiresAtMs) {
      await database
        .insertInto("signIns")
        .values({ hash, expiresAtMs })
        .onConflict((conflict) => conflict.column("hash").doUpdateSet({ expiresAtMs }))
        .execute();
    },
    async find(hash, nowMs) {
      const row = await database
        .selectFrom("signIns")
        .select("expiresAtMs")
        .where("hash", "=", hash)
        .where("expiresAtMs", ">", nowMs)
        .executeTakeFirst();
      return row?.expiresAtMs;
    },
    async take(hash, nowMs) {
      const taken = await database
        .deleteFrom("signIns")
        .where("hash", "=", hash)
        .where("expiresAtMs", ">", nowMs)
        .returning("hash")
        .executeTakeFirst();
      return taken !== undefined;
    },
    async prune(nowMs) {
      await database.deleteFrom("signIns").where("expiresAtMs", "<=", nowMs).execute();
    },
  };
}

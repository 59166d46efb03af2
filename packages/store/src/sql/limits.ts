import type { Transaction } from "kysely";
import { type KeyUse, type LimitEntry, type Limits, type LimitVerdict, refusedBy } from "../contract/keys.ts";
import type { Engine } from "./engine.ts";
import type { Database, Tables } from "./tables.ts";
import { startOfDay, startOfMinute, startOfMonth } from "./utc.ts";

export function makeLimits({ database, isAmong }: Engine): Limits {
  return {
    enter: (entry) => database.transaction().execute((transaction) => enter(transaction, entry)),
    async renew(keyId, requestIds, expiresAtMs) {
      await database
        .updateTable("limitEntries")
        .set({ expiresAtMs })
        .where("keyId", "=", keyId)
        .where(isAmong("requestId", requestIds))
        .execute();
    },
    async leave(keyId, requestId, { usd, atMs }) {
      await database.transaction().execute(async (transaction) => {
        await transaction
          .deleteFrom("limitEntries")
          .where("keyId", "=", keyId)
          .where("requestId", "=", requestId)
          .execute();
        if (usd !== 0) await addSpending(transaction, { keyId, dayMs: startOfDay(atMs), usd });
      });
    },
    async used(keyId, nowMs) {
      const { isUnderWay: _, ...used } = await readUse(database, { keyId, nowMs });
      return used;
    },
    async prune(nowMs) {
      await database.deleteFrom("limitEntries").where("expiresAtMs", "<=", nowMs).execute();
      await database.deleteFrom("limitMinutes").where("minuteMs", "<", startOfMinute(nowMs)).execute();
      await database.deleteFrom("limitSpending").where("dayMs", "<", startOfMonth(nowMs)).execute();
    },
  };
}

async function enter(transaction: Transaction<Tables>, entry: LimitEntry): Promise<LimitVerdict> {
  await lockKey(transaction, entry.keyId);
  const { isUnderWay, ...used } = await readUse(transaction, entry);
  if (isUnderWay) return { used };
  const limit = refusedBy(entry.limits, used);
  if (limit !== undefined) return { refusedBy: limit, used };
  await recordEntry(transaction, entry);
  const { requestsThisMinute, underWay } = used;
  return { used: { ...used, requestsThisMinute: requestsThisMinute + 1, underWay: underWay + 1 } };
}

/** Writing a key's row locks the key until the transaction ends. Otherwise two requests could both see the last free slot. */
async function lockKey(transaction: Transaction<Tables>, keyId: string): Promise<void> {
  await transaction
    .insertInto("limitTurns")
    .values({ keyId, turns: 1 })
    .onConflict((conflict) =>
      conflict.column("keyId").doUpdateSet(({ eb }) => ({ turns: eb("limitTurns.turns", "+", 1) })),
    )
    .execute();
}

async function readUse(
  database: Database,
  { keyId, nowMs, requestId = "" }: { keyId: string; nowMs: number; requestId?: string },
): Promise<KeyUse & { readonly isUnderWay: boolean }> {
  const row = await database
    .selectNoFrom(({ selectFrom }) => {
      const minutes = selectFrom("limitMinutes").where("keyId", "=", keyId);
      const entries = selectFrom("limitEntries").where("keyId", "=", keyId).where("expiresAtMs", ">", nowMs);
      const spending = selectFrom("limitSpending")
        .where("keyId", "=", keyId)
        .select(({ fn }) => fn.sum<number>("usd").as("usd"));
      return [
        minutes.select("requests").where("minuteMs", "=", startOfMinute(nowMs)).as("requestsThisMinute"),
        entries.select(({ fn }) => fn.countAll().as("underWay")).as("underWay"),
        entries.select("requestId").where("requestId", "=", requestId).as("known"),
        spending.where("dayMs", "=", startOfDay(nowMs)).as("usdToday"),
        spending
          .where("dayMs", ">=", startOfMonth(nowMs))
          .where("dayMs", "<", startOfMonth(nowMs, 1))
          .as("usdThisMonth"),
      ];
    })
    .executeTakeFirstOrThrow();
  return {
    requestsThisMinute: row.requestsThisMinute ?? 0,
    underWay: Number(row.underWay),
    usdToday: row.usdToday ?? 0,
    usdThisMonth: row.usdThisMonth ?? 0,
    isUnderWay: row.known !== null,
  };
}

async function recordEntry(transaction: Transaction<Tables>, entry: LimitEntry): Promise<void> {
  const { keyId, requestId, nowMs, expiresAtMs } = entry;
  await transaction
    .insertInto("limitEntries")
    .values({ keyId, requestId, expiresAtMs })
    .onConflict((conflict) => conflict.columns(["keyId", "requestId"]).doUpdateSet({ expiresAtMs }))
    .execute();
  await transaction
    .insertInto("limitMinutes")
    .values({ keyId, minuteMs: startOfMinute(nowMs), requests: 1 })
    .onConflict((conflict) =>
      conflict
        .columns(["keyId", "minuteMs"])
        .doUpdateSet(({ eb }) => ({ requests: eb("limitMinutes.requests", "+", 1) })),
    )
    .execute();
}

async function addSpending(transaction: Transaction<Tables>, spending: Tables["limitSpending"]): Promise<void> {
  await transaction
    .insertInto("limitSpending")
    .values(spending)
    .onConflict((conflict) =>
      conflict
        .columns(["keyId", "dayMs"])
        .doUpdateSet(({ eb, ref }) => ({ usd: eb("limitSpending.usd", "+", ref("excluded.usd")) })),
    )
    .execute();
}

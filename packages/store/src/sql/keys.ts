import { LonghaulError } from "@longhaul/conversation";
import { sql, type UpdateObject } from "kysely";
import type { KeyLimits, Keys, SignIns, StoredKey } from "../contract/keys.ts";
import { bumpRevision } from "./coordination.ts";
import type { Engine } from "./engine.ts";
import { type Database, type KeyRow, readJsonObject, readJsonTexts, type Tables } from "./tables.ts";

export function makeKeys(engine: Engine): Keys {
  const { database } = engine;
  return {
    create: (key) => createKey(engine, key),
    async find(hash) {
      const row = await database.selectFrom("keys").selectAll().where("hash", "=", hash).executeTakeFirst();
      return row && keyOf(row);
    },
    async list() {
      const rows = await database.selectFrom("keys").selectAll().orderBy("createdAtMs", "desc").orderBy("id").execute();
      return rows.map(keyOf);
    },
    change: (id, { name, models, limits, context }) =>
      changeKey(engine, id, {
        ...(name === undefined ? {} : { name }),
        ...(models === undefined ? {} : { models: JSON.stringify(models) }),
        ...(limits === undefined ? {} : limitColumns(limits)),
        ...(context === undefined ? {} : { context: JSON.stringify(context) }),
      }),
    revoke: (id, atMs) =>
      changeKey(engine, id, { revokedAtMs: sql<number>`coalesce(${sql.ref("revokedAtMs")}, ${atMs})` }),
    delete: (id) => deleteKey(engine, id),
  };
}

async function createKey({ database, notify }: Engine, key: StoredKey): Promise<void> {
  await database.transaction().execute(async (transaction) => {
    const created = await transaction
      .insertInto("keys")
      .values(rowOf(key))
      .onConflict((conflict) => conflict.doNothing())
      .returning("id")
      .executeTakeFirst();
    if (created === undefined) {
      throw new LonghaulError(
        "store.conflict",
        `a key with the ID "${key.id}" or the same hash already exists; create another one`,
      );
    }
    await bumpRevision(transaction, { kind: "keys", notify });
  });
}

function changeKey({ database, notify }: Engine, id: string, columns: UpdateObject<Tables, "keys">): Promise<boolean> {
  return database.transaction().execute(async (transaction) => {
    // Sets the id to itself, because an empty update is not valid SQL.
    const changed = await transaction
      .updateTable("keys")
      .set({ id, ...columns })
      .where("id", "=", id)
      .executeTakeFirstOrThrow();
    if (changed.numUpdatedRows === 0n) return false;
    await bumpRevision(transaction, { kind: "keys", notify });
    return true;
  });
}

function deleteKey({ database, notify }: Engine, id: string): Promise<boolean> {
  return database.transaction().execute(async (transaction) => {
    const deleted = await transaction.deleteFrom("keys").where("id", "=", id).returning("id").executeTakeFirst();
    if (deleted === undefined) return false;
    await bumpRevision(transaction, { kind: "keys", notify });
    return true;
  });
}

function rowOf({ models, limits, context, revokedAtMs, ...key }: StoredKey): KeyRow {
  return {
    ...key,
    ...limitColumns(limits),
    models: JSON.stringify(models),
    context: JSON.stringify(context),
    revokedAtMs: revokedAtMs ?? null,
  };
}

function limitColumns({ requestsPerMinute, concurrent, usdPerDay, usdPerMonth }: KeyLimits) {
  return {
    requestsPerMinute: requestsPerMinute ?? null,
    concurrent: concurrent ?? null,
    usdPerDay: usdPerDay ?? null,
    usdPerMonth: usdPerMonth ?? null,
  };
}

function keyOf(row: KeyRow): StoredKey {
  const { requestsPerMinute, concurrent, usdPerDay, usdPerMonth, models, context, revokedAtMs, ...key } = row;
  return {
    ...key,
    models: readJsonTexts(models),
    limits: {
      ...(requestsPerMinute === null ? {} : { requestsPerMinute }),
      ...(concurrent === null ? {} : { concurrent }),
      ...(usdPerDay === null ? {} : { usdPerDay }),
      ...(usdPerMonth === null ? {} : { usdPerMonth }),
    },
    context: readJsonObject(context),
    ...(revokedAtMs === null ? {} : { revokedAtMs }),
  };
}

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

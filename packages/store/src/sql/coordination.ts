import type { Transaction } from "kysely";
import { CHANGE_KINDS, type ChangeKind, type Changes, type Leases } from "../contract/coordination.ts";
import type { Engine } from "./engine.ts";
import { countDeleted, type Database, type Tables } from "./tables.ts";

interface RevisionBump {
  readonly kind: ChangeKind;
  readonly notify: Engine["notify"] | undefined;
  /** Bump only if this is still the current revision. */
  readonly ifRevision?: number | undefined;
}

/**
 * Increments the revision of a kind within a transaction and returns it; `undefined` if `ifRevision` is no longer current. Until the
 * transaction ends, other writers of the same kind wait here, so callers that also change rows must always do both in the same order.
 */
export async function bumpRevision(
  transaction: Transaction<Tables>,
  { kind, ifRevision, notify }: RevisionBump,
): Promise<number | undefined> {
  const row = await transaction
    .insertInto("revisions")
    .values({ kind, revision: 1 })
    .onConflict((conflict) => {
      const grown = conflict.column("kind").doUpdateSet(({ eb }) => ({ revision: eb("revisions.revision", "+", 1) }));
      return ifRevision === undefined ? grown : grown.where("revisions.revision", "=", ifRevision);
    })
    .returning("revision")
    .executeTakeFirst();
  if (row !== undefined) await notify?.(transaction, kind);
  return row?.revision;
}

export interface RevisionsWatch extends Changes {
  /** Reports that settings, keys and presets may have changed, because another database is used from now on. */
  reset(): void;
  close(): void;
}

/** Another database may have other settings, keys and presets; epochs remain valid. */
const OPERATOR_KINDS = CHANGE_KINDS.filter((kind) => kind !== "epochs");

/** Polls the revisions while there are listeners. A late listener gets all changes since this call; failed reads are retried. */
export async function watchRevisions(database: Database, pauseMs: () => number): Promise<RevisionsWatch> {
  const listeners = new Set<{ readonly onChange: (kind: ChangeKind) => void }>();
  const seen = new Map(await readRevisions(database));
  let timer: NodeJS.Timeout | undefined;
  const poll = async () => {
    if (listeners.size === 0) return;
    const found = await readRevisions(database).catch(() => []);
    // Two polls may finish out of order.
    const changed = found.filter(([kind, revision]) => revision > (seen.get(kind) ?? 0));
    for (const [kind, revision] of changed) seen.set(kind, revision);
    for (const [kind] of changed) for (const { onChange } of listeners) onChange(kind);
  };
  const plan = () => {
    clearTimeout(timer);
    if (listeners.size === 0) return;
    timer = setTimeout(() => void poll().finally(plan), pauseMs());
    timer.unref();
  };
  return {
    poll,
    reset() {
      seen.clear();
      for (const kind of OPERATOR_KINDS) for (const { onChange } of listeners) onChange(kind);
    },
    listen(onChange) {
      const listener = { onChange };
      listeners.add(listener);
      if (listeners.size === 1) void poll().finally(plan);
      return () => {
        listeners.delete(listener);
        if (listeners.size === 0) clearTimeout(timer);
      };
    },
    close() {
      listeners.clear();
      clearTimeout(timer);
    },
  };
}

async function readRevisions(database: Database): Promise<readonly (readonly [ChangeKind, number])[]> {
  const rows = await database.selectFrom("revisions").selectAll().execute();
  return rows.map(({ kind, revision }) => [kind, revision]);
}

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
    prune: (nowMs) => countDeleted(database.deleteFrom("leases").where("untilMs", "<=", nowMs)),
  };
}

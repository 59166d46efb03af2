import { PROJECTION_VERSION, type Projection } from "@longhaul/condense/advanced";
import { isJsonObject, LonghaulError } from "@longhaul/conversation";
import type { Epoch, EpochSelection, Epochs, Evidence } from "../contract/store.ts";
import { bumpRevision } from "./coordination.ts";
import type { Engine } from "./engine.ts";
import { countDeleted, type Database, deleteOneByOne, type EpochRow, readJson, SELECTED_ROWS } from "./tables.ts";

/** How often a use is recorded. It rewrites the whole row, and a conversation looks up its epochs on every turn. */
const USE_GRAIN_MS = 60_000;

/** Epochs whose uses are recorded after `find` has returned. */
interface SqlEpochs extends Epochs {
  /** Waits until the uses so far are recorded. */
  settle(): Promise<void>;
}

export function makeEpochs(engine: Engine): SqlEpochs {
  const { database, nowMs, notify } = engine;
  let marks: Promise<unknown> = Promise.resolve();
  const mark = (scope: string, rows: readonly EpochRow[]) => {
    marks = Promise.all([marks, markUsed(engine, scope, rows)]);
    // The next prune, which depends on the marks, throws it.
    marks.catch(() => {});
  };
  return {
    async find(scope, prefixes, bound = []) {
      const found = await findRows(engine, "prefix", { scope, hashes: prefixes });
      const also = bound.length === 0 ? [] : await findRows(engine, "bound", { scope, hashes: bound });
      const rows = [...new Map([...found, ...also].map((row) => [row.prefix, row])).values()].sort(byLength);
      mark(scope, rows);
      return rows.flatMap(epochsOf);
    },
    async put(epoch) {
      await putRow(database, rowOf(epoch, nowMs()));
    },
    async remove(scope, prefix) {
      await database.deleteFrom("epochs").where("scope", "=", scope).where("prefix", "=", prefix).execute();
    },
    clear: (which) =>
      database.transaction().execute(async (transaction) => {
        const count = await countDeleted(deleteSelected(transaction, which));
        if (count > 0) await bumpRevision(transaction, { kind: "epochs", notify });
        return count;
      }),
    async prune(unusedSinceMs, maxBytes) {
      const marked = marks;
      marks = Promise.resolve();
      await marked;
      const unused = () =>
        database
          .selectFrom("epochs")
          .select(["scope", "prefix", "usedAtMs", "version"])
          .where(({ eb, or }) =>
            or([eb("usedAtMs", "<", unusedSinceMs - USE_GRAIN_MS), eb("version", "!=", PROJECTION_VERSION)]),
          )
          .limit(SELECTED_ROWS)
          .execute();
      const deletionOf = ({ scope, prefix, usedAtMs, version }: StoredEpoch) =>
        database.deleteFrom("epochs").where(({ and }) => and({ scope, prefix, usedAtMs, version }));
      const count = await deleteOneByOne(unused, deletionOf);
      return count + (await deleteOneByOne(() => selectOverSize(database, maxBytes), deletionOf));
    },
    async settle() {
      await marks.catch(() => {});
    },
  };
}

function findRows(
  { database, isAmong }: Engine,
  column: "prefix" | "bound",
  { scope, hashes }: { scope: string; hashes: readonly string[] },
) {
  return database
    .selectFrom("epochs")
    .selectAll()
    .where("scope", "=", scope)
    .where(isAmong(column, [...new Set(hashes)]))
    .execute();
}

function byLength(left: EpochRow, right: EpochRow): number {
  return right.messages - left.messages || (left.prefix < right.prefix ? -1 : 1);
}

async function markUsed({ database, nowMs, isAmong }: Engine, scope: string, rows: readonly EpochRow[]) {
  const usedAtMs = nowMs();
  const due = rows.filter((row) => row.usedAtMs <= usedAtMs - USE_GRAIN_MS).map(({ prefix }) => prefix);
  if (due.length === 0) return;
  const marking = database
    .updateTable("epochs")
    .set({ usedAtMs })
    .where("scope", "=", scope)
    .where(isAmong("prefix", due))
    .execute();
  // On a full disk or a long lock only the mark is lost: the epoch is pruned sooner.
  await marking.catch((error: unknown) => {
    if (!(error instanceof LonghaulError && error.code === "store.unavailable")) throw error;
  });
}

async function putRow(database: Database, row: EpochRow): Promise<void> {
  await database
    .insertInto("epochs")
    .values(row)
    .onConflict((conflict) =>
      conflict
        .columns(["scope", "prefix"])
        .doUpdateSet(row)
        .where(({ eb, or }) =>
          or([
            eb("excluded.isStandIn", "=", 0),
            eb("epochs.isStandIn", "=", 1),
            eb("epochs.version", "!=", PROJECTION_VERSION),
          ]),
        ),
    )
    .execute();
}

/** An epoch to delete, unless it was used or replaced since it was selected. */
type StoredEpoch = Pick<EpochRow, "scope" | "prefix" | "usedAtMs" | "version">;

/**
 * Sums each epoch's size with all that were used later. Returns epochs whose sums exceed the limit. Neither database reads a text to get its
 * length.
 */
async function selectOverSize(database: Database, maxBytes: number): Promise<readonly StoredEpoch[]> {
  const weighed = database.selectFrom("epochs").select(({ eb, fn }) => [
    "scope",
    "prefix",
    "usedAtMs",
    "version",
    fn
      .sum(eb(fn<number>("octet_length", ["projection"]), "+", fn<number>("octet_length", ["evidence"])))
      .over((over) => over.orderBy("usedAtMs", "desc").orderBy("scope").orderBy("prefix"))
      .as("bytes"),
  ]);
  return await database
    .selectFrom(weighed.as("weighed"))
    .select(["scope", "prefix", "usedAtMs", "version"])
    .where("bytes", ">", maxBytes)
    .limit(SELECTED_ROWS)
    .execute();
}

function deleteSelected(database: Database, which: EpochSelection) {
  const { tenant, session, scope } = which;
  if (tenant === undefined && session === undefined && scope === undefined)
    throw new LonghaulError("internal.bug", "epochs are cleared by tenant, session or scope, and none was given");
  let query = database.deleteFrom("epochs");
  if (tenant !== undefined) query = query.where("tenant", "=", tenant);
  if (session !== undefined) query = query.where("session", "=", session);
  return scope === undefined ? query : query.where("scope", "=", scope);
}

function rowOf({ isPlaceholder, projection, evidence, ...epoch }: Epoch, usedAtMs: number): EpochRow {
  return {
    ...epoch,
    isStandIn: isPlaceholder ? 1 : 0,
    version: projection.version,
    messages: projection.messages,
    usedAtMs,
    projection: JSON.stringify(projection),
    evidence: JSON.stringify(evidence),
  };
}

/** Returns no epoch if the projection has another version or the evidence is invalid. */
function epochsOf({ version, messages, usedAtMs, isStandIn, ...row }: EpochRow): Epoch[] {
  const projection = readProjection(row.projection);
  const evidence = readJson(row.evidence);
  if (projection === undefined || !isEvidence(evidence)) return [];
  return [{ ...row, isPlaceholder: isStandIn === 1, projection, evidence }];
}

/** Parses a stored projection; `undefined` if it cannot be replayed. */
export function readProjection(json: string): Projection | undefined {
  const value = readJson(json);
  return isProjection(value) ? value : undefined;
}

function isProjection(value: unknown): value is Projection {
  if (!isJsonObject(value)) return false;
  return value.version === PROJECTION_VERSION && Number.isInteger(value.messages) && Array.isArray(value.entries);
}

function isEvidence(value: unknown): value is Evidence {
  if (!isJsonObject(value) || typeof value.head !== "string" || !Number.isInteger(value.through)) return false;
  return Array.isArray(value.messages) && value.messages.every((print) => typeof print === "string");
}

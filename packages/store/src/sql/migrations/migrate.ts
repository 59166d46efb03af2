import { LonghaulError } from "@longhaul/conversation";
import type { Database } from "../tables.ts";
import { epochsWindowsCalibrations } from "./0001-epochs-windows-calibrations.ts";
import { settingsPresetsKeys } from "./0002-settings-presets-keys.ts";
import { limitsLeasesSignIns } from "./0003-limits-leases-sign-ins.ts";
import { contents } from "./0004-contents.ts";
import { events } from "./0005-events.ts";
import { sessionParents } from "./0006-session-parents.ts";
import { evidence } from "./0007-evidence.ts";
import { copiedMarks } from "./0008-copied-marks.ts";
import { sessionDescriptions } from "./0009-session-descriptions.ts";
import { keyModels } from "./0010-key-models.ts";
import { savingsByMechanism } from "./0011-savings-by-mechanism.ts";
import { fronts } from "./0012-fronts.ts";
import type { Migration } from "./migration.ts";

/** Runs the migrations that this database has not seen, all or none. Call it in a transaction that keeps other writers out. */
export async function migrate(
  database: Database,
  { label, migrations, nowMs }: { label: string; migrations: readonly Migration[]; nowMs: () => number },
): Promise<void> {
  await database.schema
    .createTable("longhaulMigrations")
    .ifNotExists()
    .addColumn("number", "integer", (column) => column.primaryKey())
    .addColumn("name", "text", (column) => column.notNull())
    .addColumn("ranAtMs", "double precision", (column) => column.notNull())
    .execute();
  const last = await database.selectFrom("longhaulMigrations").selectAll().orderBy("number", "desc").executeTakeFirst();
  const done = last?.number ?? 0;
  if (done > migrations.length) {
    throw new LonghaulError(
      "store.newer",
      `the database ${label} was written by a newer version of Longhaul (migration ${done}, "${last?.name}"; this version knows ${migrations.length}); start that version, or use another database`,
    );
  }
  for (const [index, { name, run }] of migrations.entries()) {
    if (index < done) continue;
    await run(database);
    await database
      .insertInto("longhaulMigrations")
      .values({ number: index + 1, name, ranAtMs: nowMs() })
      .execute();
  }
}

/** All migrations. A migration's number is its position, counted from one: append new ones, and never change an entry. */
export const MIGRATIONS: readonly Migration[] = [
  epochsWindowsCalibrations,
  settingsPresetsKeys,
  limitsLeasesSignIns,
  contents,
  events,
  sessionParents,
  evidence,
  copiedMarks,
  sessionDescriptions,
  keyModels,
  savingsByMechanism,
  fronts,
];

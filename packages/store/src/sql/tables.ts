import type { Kysely } from "kysely";
import type { Epoch, LearnedWindow, StoredCalibration } from "../store.ts";

/** The tables as the queries see them; in the database their columns are spelled in snake case. */
export interface Tables {
  readonly epochs: EpochRow;
  readonly windows: LearnedWindow;
  readonly calibrations: CalibrationRow;
  readonly longhaulMigrations: MigrationRow;
}

/** An epoch in columns that every database has, with what of its projection is asked for beside it. */
export interface EpochRow extends Omit<Epoch, "isStandIn" | "projection"> {
  readonly isStandIn: number;
  readonly version: number;
  readonly messages: number;
  readonly usedAtMs: number;
  /** JSON. */
  readonly projection: string;
}

/** A calibration with its state as JSON. */
interface CalibrationRow extends Omit<StoredCalibration, "state"> {
  readonly state: string;
}

/** A migration that was carried out on this database. */
interface MigrationRow {
  readonly number: number;
  readonly name: string;
  readonly ranAtMs: number;
}

/** The database that the queries run on. */
export type Database = Kysely<Tables>;

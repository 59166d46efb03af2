import { isJsonObject, type JsonObject } from "@longhaul/conversation";
import type { Kysely } from "kysely";
import type { ChangeKind, Lease } from "../contract/coordination.ts";
import type {
  CondensationEvent,
  Content,
  RequestEvent,
  SessionSummary,
  Totals,
  TotalsQuery,
} from "../contract/events.ts";
import type { KeyLimits, StoredKey } from "../contract/keys.ts";
import type { SettingRecord, StoredPreset } from "../contract/settings.ts";
import type { Epoch, LearnedWindow, StoredCalibration } from "../store.ts";

/** The tables as the queries see them; in the database their columns are spelled in snake case. */
export interface Tables {
  readonly epochs: EpochRow;
  readonly windows: LearnedWindow;
  readonly calibrations: CalibrationRow;
  readonly revisions: { readonly kind: ChangeKind; readonly revision: number };
  readonly settings: { readonly path: string /** JSON. */; readonly value: string };
  readonly settingChanges: SettingChangeRow;
  readonly presets: PresetRow;
  readonly keys: KeyRow;
  readonly limitTurns: { readonly keyId: string; readonly turns: number };
  readonly limitEntries: { readonly keyId: string; readonly requestId: string; readonly expiresAtMs: number };
  readonly limitMinutes: { readonly keyId: string; readonly minuteMs: number; readonly requests: number };
  readonly limitSpending: { readonly keyId: string; readonly dayMs: number; readonly usd: number };
  readonly contents: ContentRow;
  readonly requests: RequestRow;
  readonly condensations: CondensationRow;
  readonly sessions: SessionSummary;
  readonly sessionHours: SessionHourRow;
  readonly totals: TotalsRow;
  readonly leases: Omit<Lease, "nowMs">;
  readonly signIns: { readonly hash: string; readonly expiresAtMs: number };
  readonly longhaulMigrations: MigrationRow;
}

/** An epoch in columns that every database has, with what of its projection is asked for beside it. */
export interface EpochRow extends Omit<Epoch, "isStandIn" | "projection" | "evidence"> {
  readonly isStandIn: number;
  readonly version: number;
  readonly messages: number;
  readonly usedAtMs: number;
  /** JSON. */
  readonly projection: string;
  /** JSON. */
  readonly evidence: string;
}

/** A calibration with its state as JSON. */
interface CalibrationRow extends Omit<StoredCalibration, "state"> {
  readonly state: string;
}

/** A change of a setting; its values are JSON. */
export interface SettingChangeRow extends Omit<SettingRecord, "isSecret" | "before" | "after"> {
  readonly isSecret: number;
  readonly before: string | null;
  readonly after: string | null;
}

/** A preset with its configuration as JSON. */
export interface PresetRow extends Omit<StoredPreset, "config"> {
  readonly config: string;
}

/** A key with its limits in columns. */
export type KeyRow = Omit<StoredKey, "limits" | "context" | "revokedAtMs"> & {
  readonly [limit in keyof KeyLimits]-?: number | null;
} & {
  /** JSON. */
  readonly context: string;
  readonly revokedAtMs: number | null;
};

/** A request's contents, and how many bytes they are. */
export interface ContentRow extends Omit<Content, "after"> {
  readonly bytes: number;
  readonly after: Uint8Array | null;
}

/** A request in columns, with what is asked for beside it; warnings and anatomy are JSON. */
export interface RequestRow extends Omit<RequestEvent, "isGone" | "warnings" | "anatomy"> {
  readonly isGone: number;
  readonly hasFailed: number;
  readonly warnings: string;
  readonly anatomy: string;
}

/** A condensation with its report as JSON. */
export interface CondensationRow extends Omit<CondensationEvent, "report"> {
  readonly report: string;
}

/** An hour in which a session was used. */
export interface SessionHourRow extends Pick<RequestEvent, "atMs" | "session" | "tenant"> {
  readonly isOverWindow: number;
}

/** What is summed up over hours and days. */
export type Measures = Omit<Totals, "atMs" | "group">;

/** Sums of an hour or a day for everything that they are asked for by. */
export interface TotalsRow
  extends Measures,
    Pick<RequestEvent, "atMs" | "tenant" | "keyId" | "upstream" | "model" | "strategy"> {
  readonly bucket: TotalsQuery["bucket"];
}

/** A migration that was carried out on this database. */
interface MigrationRow {
  readonly number: number;
  readonly name: string;
  readonly ranAtMs: number;
}

/** The database that the queries run on. */
export type Database = Kysely<Tables>;

/** The value of a JSON column, `undefined` where it is no JSON. */
export function readJson(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}

/** The object of a JSON column, empty where it is none. */
export function readJsonObject(text: string): JsonObject {
  const value = readJson(text);
  return isJsonObject(value) ? value : {};
}

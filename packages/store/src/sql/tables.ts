import { isJsonObject, type JsonObject, parseJsonText } from "@longhaul/conversation/advanced";
import type { DeleteResult, Kysely } from "kysely";
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
import type { Epoch, FrontName, LearnedWindow, StoredCalibration } from "../contract/store.ts";

/** The tables as queries see them; the database's columns are in snake case. */
export interface Tables {
  readonly epochs: EpochRow;
  readonly fronts: FrontName & { readonly atMs: number; readonly facts: Uint8Array };
  readonly windows: LearnedWindow;
  readonly calibrations: Omit<StoredCalibration, "state"> & { readonly state: string };
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
  readonly longhaulMigrations: { readonly number: number; readonly name: string; readonly ranAtMs: number };
}

/** An epoch in columns, with the fields of its projection that queries need. */
export interface EpochRow extends Omit<Epoch, "isPlaceholder" | "projection" | "evidence"> {
  /** `isPlaceholder`, under the column's original name. */
  readonly isStandIn: number;
  readonly version: number;
  readonly messages: number;
  readonly usedAtMs: number;
  /** JSON. */
  readonly projection: string;
  /** JSON. */
  readonly evidence: string;
}

/** Values are JSON. */
export interface SettingChangeRow extends Omit<SettingRecord, "isSecret" | "before" | "after"> {
  readonly isSecret: number;
  readonly before: string | null;
  readonly after: string | null;
}

export interface PresetRow extends Omit<StoredPreset, "config"> {
  readonly config: string;
}

export type KeyRow = Omit<StoredKey, "models" | "limits" | "context" | "revokedAtMs"> & {
  readonly [limit in keyof KeyLimits]-?: number | null;
} & {
  /** JSON. */
  readonly models: string;
  /** JSON. */
  readonly context: string;
  readonly revokedAtMs: number | null;
};

export interface ContentRow extends Omit<Content, "after"> {
  readonly bytes: number;
  readonly after: Uint8Array | null;
}

/** `warnings` and `anatomy` are JSON. */
export interface RequestRow extends Omit<RequestEvent, "isGone" | "warnings" | "anatomy"> {
  readonly isGone: number;
  readonly hasFailed: number;
  readonly warnings: string;
  readonly anatomy: string;
}

export interface CondensationRow extends Omit<CondensationEvent, "report"> {
  readonly report: string;
}

export interface SessionHourRow extends Pick<RequestEvent, "atMs" | "session" | "tenant"> {
  readonly isOverWindow: number;
}

/** The figures that are summed up by hour and day. */
export type Measures = Omit<Totals, "atMs" | "group">;

/** Totals of an hour or a day for one combination of the columns they can be grouped by. */
export interface TotalsRow
  extends Measures,
    Pick<RequestEvent, "atMs" | "tenant" | "keyId" | "upstream" | "model" | "strategy"> {
  readonly bucket: TotalsQuery["bucket"];
}

export type Database = Kysely<Tables>;

/** Deletes rows and returns how many. */
export async function countDeleted(deletion: { executeTakeFirstOrThrow(): Promise<DeleteResult> }): Promise<number> {
  return Number((await deletion.executeTakeFirstOrThrow()).numDeletedRows);
}

/** How many rows are selected for deletion at once. */
export const SELECTED_ROWS = 1_000;

/**
 * Deletes selected rows one by one until none is left, and returns how many. Other statements run in between: SQLite has one thread, and
 * deleting megabytes at once would delay every request that reads from it. `select` returns at most `SELECTED_ROWS` rows.
 */
export async function deleteOneByOne<Row>(
  select: () => Promise<readonly Row[]>,
  deletionOf: (row: Row) => Parameters<typeof countDeleted>[0],
): Promise<number> {
  for (let count = 0; ; ) {
    const rows = await select();
    let deleted = 0;
    for (const row of rows) deleted += await countDeleted(deletionOf(row));
    count += deleted;
    if (rows.length < SELECTED_ROWS || deleted === 0) return count;
  }
}

/** Parses a JSON column; `undefined` if it is not valid JSON. */
export function readJson(text: string): unknown {
  try {
    return parseJsonText(text);
  } catch {
    return undefined;
  }
}

/** Parses a JSON object column; empty if it is not an object. */
export function readJsonObject(text: string): JsonObject {
  const value = readJson(text);
  return isJsonObject(value) ? value : {};
}

/** Parses a JSON column with a list of texts; empty if it is not a list. */
export function readJsonTexts(text: string): readonly string[] {
  const value = readJson(text);
  return Array.isArray(value) ? value.filter((item) => typeof item === "string") : [];
}

import type { JsonObject, JsonValue } from "@longhaul/conversation";

/** The settings that were changed while the gateway ran, with what they were before. */
export interface StoredSettings {
  /** All of them as they are now. */
  load(): Promise<SettingsState>;
  /**
   * Makes all changes or none, and says the revision that they lead to. Where `ifRevision` is no longer the current one, nothing is changed
   * and the answer is `undefined`: somebody else was first.
   */
  change(change: SettingsChange): Promise<number | undefined>;
  /** What was changed, the latest first. */
  history(page: HistoryPage): Promise<readonly SettingRecord[]>;
}

/** The stored settings at one moment. */
export interface SettingsState {
  /** Grows by one with every change; 0 before the first. */
  readonly revision: number;
  /** By path, such as `context.strategy`. */
  readonly values: Readonly<Record<string, JsonValue>>;
}

/** Settings to be changed together. */
export interface SettingsChange {
  /** Of two for the same path the last one counts. */
  readonly entries: readonly SettingEntry[];
  /** Who changed them, as history shows it. */
  readonly by: string;
  readonly atMs: number;
  readonly ifRevision?: number;
}

/** One setting's new value; without one, what the setting has by other means holds again. */
export interface SettingEntry {
  readonly path: string;
  readonly value?: JsonValue;
  /** Its values are left out of history. */
  readonly isSecret?: boolean;
}

/** Which part of history. */
export interface HistoryPage {
  /** Of revisions; what was changed together comes together. */
  readonly limit: number;
  /** Only what came before this revision. */
  readonly beforeRevision?: number;
  readonly path?: string;
}

/** One setting that was changed. A value that is absent was not set, or is secret. */
export interface SettingRecord {
  readonly revision: number;
  readonly path: string;
  readonly before?: JsonValue;
  readonly after?: JsonValue;
  readonly isSecret: boolean;
  readonly by: string;
  readonly atMs: number;
}

/** The user's own presets, by name. */
export interface Presets {
  /** By name. */
  list(): Promise<readonly StoredPreset[]>;
  find(name: string): Promise<StoredPreset | undefined>;
  /** Takes the place of the one with the same name. */
  put(preset: StoredPreset): Promise<void>;
  /** Whether there was one. */
  remove(name: string): Promise<boolean>;
}

/** A strategy with a configuration, under a name of the user's. */
export interface StoredPreset {
  readonly name: string;
  readonly description: string;
  readonly strategy: string;
  readonly config: JsonObject;
  readonly changedAtMs: number;
}

import type { JsonObject, JsonValue } from "@longhaul/conversation";

/** Settings changed at runtime, with their history. */
export interface StoredSettings {
  load(): Promise<SettingsState>;
  /** Makes all changes and returns the new revision, or makes none and returns `undefined` if `ifRevision` is no longer current. */
  change(change: SettingsChange): Promise<number | undefined>;
  /** Latest change first. */
  history(page: HistoryPage): Promise<readonly SettingRecord[]>;
}

/** The stored settings at one moment. */
export interface SettingsState {
  /** Grows by one with every change; 0 before the first. */
  readonly revision: number;
  /** By path, such as `context.strategy`. */
  readonly values: Readonly<Record<string, JsonValue>>;
}

/** Settings that are changed together. */
export interface SettingsChange {
  /** If two have the same path, the last one wins. */
  readonly entries: readonly SettingEntry[];
  /** Who changed them; shown in the history. */
  readonly by: string;
  readonly atMs: number;
  readonly ifRevision?: number;
}

/** A setting's new value. Without a value the override is removed. */
export interface SettingEntry {
  readonly path: string;
  readonly value?: JsonValue;
  /** Keeps its values out of the history. */
  readonly isSecret?: boolean;
}

/** Which part of the history to read. */
export interface HistoryPage {
  /** Number of revisions; changes of one revision stay together. */
  readonly limit: number;
  /** Only revisions before this one. */
  readonly beforeRevision?: number;
  readonly path?: string;
}

/** One change of a setting. An absent value was not set, or is secret. */
export interface SettingRecord {
  readonly revision: number;
  readonly path: string;
  readonly before?: JsonValue;
  readonly after?: JsonValue;
  readonly isSecret: boolean;
  readonly by: string;
  readonly atMs: number;
}

/** The user's own presets. */
export interface Presets {
  /** Sorted by name. */
  list(): Promise<readonly StoredPreset[]>;
  find(name: string): Promise<StoredPreset | undefined>;
  /** Replaces the preset with the same name. */
  put(preset: StoredPreset): Promise<void>;
  /** Returns whether it existed. */
  remove(name: string): Promise<boolean>;
}

/** A strategy and its configuration, saved under a name. */
export interface StoredPreset {
  readonly name: string;
  readonly description: string;
  readonly strategy: string;
  readonly config: JsonObject;
  readonly changedAtMs: number;
}

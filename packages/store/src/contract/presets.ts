import type { JsonObject } from "@longhaul/conversation";

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

import { LonghaulError } from "@longhaul/conversation";
import {
  type Config,
  checkStorable,
  type EffectiveSetting,
  effectiveSettings,
  findSetting,
  invalidSettings,
  isWithin,
  type LayeredSettings,
  layerSettings,
  parsePath,
  type SettingEntry,
  type SettingLayers,
  type SettingValues,
  singleEntries,
} from "@longhaul/settings";
import type { HistoryPage, SettingRecord, SettingsState, StoredSettings } from "@longhaul/store";

/** A change of settings. */
export interface LiveChange {
  /** An entry for a section, such as a profile, applies to all settings in it. An entry without a value removes the stored value. */
  readonly entries: readonly SettingEntry[];
  readonly by: string;
  /** The revision that the change is based on. @default the latest */
  readonly ifRevision?: number;
}

interface UndoOptions {
  readonly revision: number;
  /** @default all settings of the revision */
  readonly path?: string;
}

interface LiveContext {
  readonly stored: StoredSettings;
  readonly nowMs: () => number;
  /** Throws what starting with a configuration would throw. */
  readonly check: (config: Config) => void;
  /** Activates settings. If it throws, the previous ones stay active. */
  readonly apply: (layered: LayeredSettings) => void;
}

/** Tries of a change that loses against concurrent changes. */
const MAX_TRIES = 5;

/** The settings of a running gateway: stored values merged with the file, the environment and flags. */
export class LiveSettings {
  readonly #context: LiveContext;
  #layers: SettingLayers;
  #state: SettingsState;
  #layered: LayeredSettings;

  private constructor(context: LiveContext, layers: SettingLayers, state: SettingsState) {
    this.#context = context;
    this.#layers = layers;
    this.#state = state;
    this.#layered = this.#lay(layers, state.values);
  }

  /** Reads the stored settings without applying them. */
  static async open(layers: SettingLayers, context: LiveContext): Promise<LiveSettings> {
    return new LiveSettings(context, layers, await context.stored.load());
  }

  get layered(): LayeredSettings {
    return this.#layered;
  }

  /** Increases with every change of a stored setting. */
  get revision(): number {
    return this.#state.revision;
  }

  effective(): readonly EffectiveSetting[] {
    return effectiveSettings(this.#layered);
  }

  /**
   * Stores and activates a change, and returns the new revision. Invalid settings throw `settings.invalid` with every bad path; a change that
   * is based on an older revision throws `store.conflict`. Both change nothing.
   */
  async change(change: LiveChange): Promise<number> {
    for (let tries = 0; tries < MAX_TRIES; tries += 1) {
      const revision = await this.#tryChange(change);
      await this.refresh();
      if (revision !== undefined) return revision;
      if (change.ifRevision !== undefined) break;
    }
    throw new LonghaulError(
      "store.conflict",
      `the settings have changed and are now at revision ${this.revision}; reload them and try again`,
    );
  }

  async #tryChange({ entries, by, ifRevision }: LiveChange): Promise<number | undefined> {
    await this.refresh();
    const { values, revision } = this.#state;
    const singles = entries.flatMap((entry) => singleChanges(entry, values));
    const stored = changedValues(values, singles);
    checkChange(singles, this.#layered, this.#lay(this.#layers, stored));
    return this.#context.stored.change({
      entries: singles.map((entry) => ({ ...entry, isSecret: findSetting(parsePath(entry.path))?.isSecret === true })),
      by,
      atMs: this.#context.nowMs(),
      ifRevision: ifRevision ?? revision,
    });
  }

  history(page: HistoryPage): Promise<readonly SettingRecord[]> {
    return this.#context.stored.history(page);
  }

  /** Restores the values before a revision: of one path, or of all paths that changed with it. */
  async undo({ revision, path }: UndoOptions, by: string): Promise<{ revision: number; paths: readonly string[] }> {
    const page = { limit: 1, beforeRevision: revision + 1, ...(path !== undefined && { path }) };
    const records = (await this.history(page)).filter((record) => record.revision === revision);
    const isSecret = records.some((record) => record.isSecret);
    if (records.length === 0 || isSecret) {
      const what = path ?? `revision ${revision}`;
      const missing = path === undefined ? "it does not exist" : `revision ${revision} did not change it`;
      const why = isSecret ? "the history contains no secrets; set them again" : `${missing}; see the history`;
      throw new LonghaulError("settings.invalid", `${what} cannot be undone: ${why}`);
    }
    const entries = records.map(({ path: at, before }) => ({
      path: at,
      ...(before !== undefined && { value: before }),
    }));
    return { revision: await this.change({ entries, by }), paths: entries.map((entry) => entry.path) };
  }

  /** Applies changes that others have stored. */
  async refresh(): Promise<void> {
    const state = await this.#context.stored.load();
    if (state.revision > this.#state.revision) this.#put(this.#layers, state);
  }

  /** Applies the stored settings even if their revision is lower: the database was replaced. */
  async startOver(): Promise<void> {
    this.#put(this.#layers, await this.#context.stored.load());
  }

  /** Activates another file, environment and flags. Invalid ones throw and change nothing. */
  reload(layers: SettingLayers): void {
    this.#put(layers, this.#state);
  }

  #put(layers: SettingLayers, state: SettingsState): void {
    const layered = this.#lay(layers, state.values);
    this.#context.apply(layered);
    this.#layers = layers;
    this.#state = state;
    this.#layered = layered;
  }

  #lay(layers: SettingLayers, stored: SettingValues): LayeredSettings {
    const check = (config: Config) => {
      layers.check?.(config);
      this.#context.check(config);
    };
    return layerSettings({ ...layers, stored, check });
  }
}

/** Splits a change of a section into changes of single settings. Removing a section removes everything stored in it. */
export function singleChanges(entry: SettingEntry, stored: SettingValues): readonly SettingEntry[] {
  if (entry.value !== undefined) return singleEntries(entry);
  const section = parsePath(entry.path);
  const within = Object.keys(stored).filter((path) => isWithin(parsePath(path), section));
  return within.length === 0 ? [entry] : within.map((path) => ({ path }));
}

export function changedValues(stored: SettingValues, changes: readonly SettingEntry[]): SettingValues {
  const values = new Map(Object.entries(stored));
  for (const { path, value } of changes) {
    if (value === undefined) values.delete(path);
    else values.set(path, value);
  }
  return Object.fromEntries(values);
}

/** Throws the faults that changes introduce. Only the first fault of a path is reported: later ones follow from ignoring its value. */
export function checkChange(
  changes: readonly SettingEntry[],
  before: Pick<LayeredSettings, "leftOut">,
  after: Pick<LayeredSettings, "leftOut">,
): void {
  const known = new Set(before.leftOut.map(({ path }) => path));
  const changed = new Set(changes.map(({ path }) => path));
  const faults = after.leftOut
    .filter(({ path }) => changed.has(path) || !known.has(path))
    .map(({ path, why, at = path }) => ({ path: at, message: why }))
    .filter(({ path }, index, all) => all.findIndex((fault) => fault.path === path) === index);
  const unknown = changes.flatMap(({ path, value }) => {
    const why = value === undefined && !known.has(path) ? checkStorable(path) : undefined;
    return why === undefined ? [] : [{ path, message: why }];
  });
  if (faults.length + unknown.length > 0) throw invalidSettings("the change", [...faults, ...unknown]);
}

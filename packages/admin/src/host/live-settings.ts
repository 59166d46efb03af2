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

/** What is to be changed, and by whom. */
export interface LiveChange {
  /** One for a section, such as a profile, stands for all settings in it. Without a value, what a setting has by other means holds again. */
  readonly entries: readonly SettingEntry[];
  readonly by: string;
  /** The revision that the change was made for. */
  readonly ifRevision?: number;
}

/** What is to be put back to what it was before. */
export interface Undone {
  readonly revision: number;
  readonly path?: string;
}

/** What live settings take from outside. */
export interface LiveContext {
  readonly stored: StoredSettings;
  readonly nowMs: () => number;
  /** Throws what starting with a configuration would throw. */
  readonly check: (config: Config) => void;
  /** Puts settings in force. What it throws keeps those before. */
  readonly apply: (layered: LayeredSettings) => void;
}

/** How often a change is made anew because somebody else was first. */
const MAX_TRIES = 5;

/** The settings of a running gateway: what file, environment and flags say, with what is stored between them. */
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

  /** Reads what is stored. Nothing is applied yet. */
  static async open(layers: SettingLayers, context: LiveContext): Promise<LiveSettings> {
    return new LiveSettings(context, layers, await context.stored.load());
  }

  /** What all layers come to now. */
  get layered(): LayeredSettings {
    return this.#layered;
  }

  /** Grows with every change of what is stored. */
  get revision(): number {
    return this.#state.revision;
  }

  /** What holds for every setting, and who says so. */
  effective(): readonly EffectiveSetting[] {
    return effectiveSettings(this.#layered);
  }

  /**
   * Stores values, puts them in force and says the revision that they lead to. A result with anything wrong in it throws `settings.invalid`
   * naming every bad path; a change for another revision than the current one throws `store.conflict`. Both change nothing.
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
      `the settings were changed meanwhile and are at revision ${this.revision}; look at them again`,
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

  /** What was changed, the latest first. */
  history(page: HistoryPage): Promise<readonly SettingRecord[]> {
    return this.#context.stored.history(page);
  }

  /** Puts back what one record of history replaced, or all records of one change where no path is given. */
  async undo({ revision, path }: Undone, by: string): Promise<{ revision: number; paths: readonly string[] }> {
    const page = { limit: 1, beforeRevision: revision + 1, ...(path !== undefined && { path }) };
    const records = (await this.history(page)).filter((record) => record.revision === revision);
    const isSecret = records.some((record) => record.isSecret);
    if (records.length === 0 || isSecret) {
      const what = path ?? "what was changed";
      const why = isSecret ? "secrets are not kept; set it again" : "it was not changed there";
      throw new LonghaulError("settings.invalid", `${what} cannot be put back to before revision ${revision}: ${why}`);
    }
    const entries = records.map(({ path: at, before }) => ({
      path: at,
      ...(before !== undefined && { value: before }),
    }));
    return { revision: await this.change({ entries, by }), paths: entries.map((entry) => entry.path) };
  }

  /** Takes up what somebody else has stored. */
  async refresh(): Promise<void> {
    const state = await this.#context.stored.load();
    if (state.revision > this.#state.revision) this.#put(this.#layers, state);
  }

  /** Takes up what is stored, however early its revision: another database has taken the place of the first. */
  async startOver(): Promise<void> {
    this.#put(this.#layers, await this.#context.stored.load());
  }

  /** Puts another file, environment and flags in force. Bad ones throw and change nothing. */
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

/** The changes of single settings that one stands for. One that unsets a section is one for everything that is stored in it. */
export function singleChanges(entry: SettingEntry, stored: SettingValues): readonly SettingEntry[] {
  if (entry.value !== undefined) return singleEntries(entry);
  const section = parsePath(entry.path);
  const within = Object.keys(stored).filter((path) => isWithin(parsePath(path), section));
  return within.length === 0 ? [entry] : within.map((path) => ({ path }));
}

/** What is stored after changes. */
export function changedValues(stored: SettingValues, changes: readonly SettingEntry[]): SettingValues {
  const values = new Map(Object.entries(stored));
  for (const { path, value } of changes) {
    if (value === undefined) values.delete(path);
    else values.set(path, value);
  }
  return Object.fromEntries(values);
}

/**
 * Throws what is wrong after changes and was not before: a value that was not used anyway stands against nothing. Of one place the first
 * fault is told; those after it come of leaving its value out.
 */
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

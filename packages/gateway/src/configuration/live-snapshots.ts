import { isDeepStrictEqual } from "node:util";
import { LiveSettings } from "@longhaul/admin";
import {
  type Config,
  type LayeredSettings,
  listSettings,
  parsePath,
  type SettingLayers,
  spellPath,
  valueAt,
} from "@longhaul/settings";
import type { Store } from "@longhaul/store";
import type { Reloaded } from "../logging/log.ts";
import { makeSnapshots, openSnapshot, type SnapshotContext, type Snapshots } from "./snapshot.ts";

/** Snapshots that follow the settings. */
export interface LiveSnapshots {
  readonly settings: LiveSettings;
  readonly snapshots: Snapshots;
  /** Takes up what is stored in another database, which has taken the place of the first. */
  startOver(): void;
  /** Takes up nothing more that others store. */
  stop(): void;
}

/** Puts settings in force, and whatever they become: by a change here, by another gateway on the same store, by a reload. */
export async function openLiveSnapshots(
  layers: SettingLayers,
  store: Pick<Store, "settings" | "changes">,
  context: SnapshotContext,
): Promise<LiveSnapshots> {
  let told: readonly string[] = [];
  const tell = ({ warnings }: LayeredSettings) => {
    for (const warning of warnings.filter((each) => !told.includes(each))) snapshots.current().log.warned(warning);
    told = warnings;
  };
  const settings = await LiveSettings.open(layers, {
    stored: store.settings,
    nowMs: context.nowMs,
    check: (config) => void openSnapshot(config, context).close(),
    apply: (layered) => {
      const before = snapshots.current().config;
      snapshots.swap(openSnapshot(layered.config, context));
      snapshots.current().log.reloaded(configChanges(before, layered.config));
      tell(layered);
    },
  });
  const snapshots = makeSnapshots(openSnapshot(settings.layered.config, context));
  tell(settings.layered);
  const tellFailure = (error: unknown) =>
    snapshots.current().log.notReloaded(error instanceof Error ? error.message : String(error));
  const stop = store.changes.listen((kind) => {
    if (kind === "settings") settings.refresh().catch(tellFailure);
  });
  return { settings, snapshots, startOver: () => void settings.startOver().catch(tellFailure), stop };
}

/** What another configuration changes, by name: values may be secrets. */
export function configChanges(before: Config, after: Config): Reloaded {
  const keys = new Set([...Object.keys(before), ...Object.keys(after)]);
  const [old, next] = [new Map(Object.entries(before)), new Map(Object.entries(after))];
  return {
    changed: [...keys].filter((key) => !isDeepStrictEqual(old.get(key), next.get(key))),
    needRestart: listSettings()
      .filter(({ needsRestart }) => needsRestart)
      .map(({ path }) => parsePath(path))
      .filter((path) => !isDeepStrictEqual(valueAt(before, path), valueAt(after, path)))
      .map(spellPath),
  };
}

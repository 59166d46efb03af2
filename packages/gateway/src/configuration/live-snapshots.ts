import { isDeepStrictEqual } from "node:util";
import { LiveSettings } from "@longhaul/admin";
import {
  type Config,
  formatPath,
  type LayeredSettings,
  listSettings,
  parsePath,
  type SettingLayers,
  valueAt,
} from "@longhaul/settings";
import type { Store } from "@longhaul/store";
import type { Reloaded } from "../logging/log.ts";
import { makeSnapshots, openSnapshot, type SnapshotContext, type Snapshots } from "./snapshot.ts";

/** Snapshots that follow changes of the settings. */
export interface LiveSnapshots {
  readonly settings: LiveSettings;
  readonly snapshots: Snapshots;
  /** Reads the stored settings again after the database was replaced. */
  startOver(): void;
  /** Stops following changes in the store and closes the active snapshot. */
  close(): Promise<void>;
}

/** Activates the settings and every later change of them: by this gateway, by another one on the same store, or by a reload. */
export async function openLiveSnapshots(
  layers: SettingLayers,
  store: Pick<Store, "settings" | "changes">,
  context: SnapshotContext,
): Promise<LiveSnapshots> {
  let logged: readonly string[] = [];
  const logWarnings = ({ warnings }: LayeredSettings) => {
    for (const warning of warnings.filter((each) => !logged.includes(each))) snapshots.current().log.warned(warning);
    logged = warnings;
  };
  const settings = await LiveSettings.open(layers, {
    stored: store.settings,
    nowMs: context.nowMs,
    check: (config) => void openSnapshot(config, context).close(),
    apply: (layered) => {
      const before = snapshots.current().config;
      snapshots.swap(openSnapshot(layered.config, context));
      snapshots.current().log.reloaded(configChanges(before, layered.config));
      logWarnings(layered);
    },
  });
  const snapshots = makeSnapshots(openSnapshot(settings.layered.config, context));
  logWarnings(settings.layered);
  const logFailure = (error: unknown) =>
    snapshots.current().log.notReloaded(error instanceof Error ? error.message : String(error));
  const stop = store.changes.listen((kind) => {
    if (kind === "settings") settings.refresh().catch(logFailure);
  });
  return {
    settings,
    snapshots,
    startOver: () => void settings.startOver().catch(logFailure),
    close: () => {
      stop();
      return snapshots.close();
    },
  };
}

/** Returns the names of what differs between two configurations, without values, which may be secrets. */
export function configChanges(before: Config, after: Config): Reloaded {
  const keys = new Set([...Object.keys(before), ...Object.keys(after)]);
  const [old, next] = [new Map(Object.entries(before)), new Map(Object.entries(after))];
  return {
    changed: [...keys].filter((key) => !isDeepStrictEqual(old.get(key), next.get(key))),
    needRestart: listSettings()
      .filter(({ needsRestart }) => needsRestart)
      .map(({ path }) => parsePath(path))
      .filter((path) => !isDeepStrictEqual(valueAt(before, path), valueAt(after, path)))
      .map(formatPath),
  };
}

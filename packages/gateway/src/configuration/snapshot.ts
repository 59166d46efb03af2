import type { AdminSnapshot } from "@longhaul/admin";
import { type HandlesContext, openHandles } from "@longhaul/fit";
import { loadCatalog, parseOverrides } from "@longhaul/models/advanced";
import { type Config, isContextDisabled as checkDisabled } from "@longhaul/settings";
import { type Log, openLog, SILENT } from "../logging/log.ts";
import { makeRedactor, secretsIn } from "../logging/redact.ts";

/** Everything that a request depends on. It is made once from a configuration and never changes; a reload makes another. */
export interface Snapshot extends AdminSnapshot {
  readonly log: Log;
  /** Closes the connections once nothing uses them. */
  close(): Promise<void>;
}

export interface SnapshotContext extends HandlesContext {
  /** @default the log is discarded */
  readonly writeLog?: (line: string) => void;
}

/** Opens a snapshot. A configuration that cannot work throws `settings.invalid` or `catalog.invalid` and opens nothing. */
export function openSnapshot(config: Config, context: SnapshotContext): Snapshot {
  const catalog = loadCatalog(parseOverrides(config.models));
  const handles = openHandles(config, context);
  const close = async () => {
    await Promise.all([...handles.values()].flat().map(({ connection }) => connection.close()));
  };
  const redact = makeRedactor(secretsIn(config));
  const { writeLog: write } = context;
  const log = write === undefined ? SILENT : openLog({ level: config.log.level, redact, write });
  const isContextDisabled = checkDisabled(context.environment);
  return { config, catalog, handles, redact, log, isContextDisabled, close };
}

/** The active snapshot. A replaced one stays open while a request uses it. */
export interface Snapshots {
  current(): Snapshot;
  /** Uses the active snapshot; call `leave` once when done. */
  enter(): { readonly snapshot: Snapshot; readonly leave: () => void };
  /** Activates another snapshot and closes the previous one when its last user has left. */
  swap(next: Snapshot): void;
  /** Closes the active snapshot. */
  close(): Promise<void>;
}

interface Held {
  readonly snapshot: Snapshot;
  users: number;
}

export function makeSnapshots(first: Snapshot): Snapshots {
  let current: Held = { snapshot: first, users: 0 };
  const closeUnused = (held: Held) => {
    if (held !== current && held.users === 0) void held.snapshot.close();
  };
  return {
    current: () => current.snapshot,
    enter: () => {
      const held = current;
      held.users += 1;
      const leave = () => {
        held.users -= 1;
        closeUnused(held);
      };
      return { snapshot: held.snapshot, leave };
    },
    swap: (next) => {
      const before = current;
      current = { snapshot: next, users: 0 };
      closeUnused(before);
    },
    close: () => current.snapshot.close(),
  };
}

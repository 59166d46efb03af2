import { type HandlesContext, openHandles, type UpstreamHandle } from "@longhaul/fit";
import { type Catalog, loadCatalog } from "@longhaul/models";
import { type Config, isContextDisabled as checkDisabled } from "@longhaul/settings";
import { type Log, openLog, SILENT } from "../logging/log.ts";
import { makeRedactor, type Redact, secretsIn } from "../logging/redact.ts";

/** Everything that a request depends on, made once from a configuration and never changed. A reload makes another one. */
export interface Snapshot {
  readonly config: Config;
  readonly catalog: Catalog;
  /** The places behind each upstream, by its name. */
  readonly handles: ReadonlyMap<string, readonly UpstreamHandle[]>;
  /** Takes the configuration's own credentials out of a text. */
  readonly redact: Redact;
  readonly log: Log;
  /** Whether the operator has switched context management off for all. */
  readonly isContextDisabled: boolean;
  /** Closes the connections once nothing uses them any more. */
  close(): Promise<void>;
}

/** What a snapshot takes from outside. */
export interface SnapshotContext extends HandlesContext {
  /** Where the lines of the log go. @default nowhere */
  readonly writeLog?: (line: string) => void;
}

/** Makes a snapshot. A configuration that cannot work throws `settings.invalid` or `catalog.invalid` and opens nothing. */
export function openSnapshot(config: Config, context: SnapshotContext): Snapshot {
  const catalog = loadCatalog(config.models);
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

/** The snapshot in force. One that was replaced stays open for as long as somebody uses it. */
export interface Snapshots {
  current(): Snapshot;
  /** Uses the snapshot in force; call `leave` once when done. */
  enter(): { readonly snapshot: Snapshot; readonly leave: () => void };
  /** Puts another one in force. The one before is closed when nobody uses it any more. */
  swap(next: Snapshot): void;
  /** Closes the one in force. */
  close(): Promise<void>;
}

interface Held {
  readonly snapshot: Snapshot;
  users: number;
}

/** Puts a first snapshot in force. */
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

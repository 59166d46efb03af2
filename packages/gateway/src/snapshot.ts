import { type HandlesContext, openHandles, type UpstreamHandle } from "@longhaul/fit";
import { type Catalog, loadCatalog } from "@longhaul/models";
import { type Config, isContextDisabled as checkDisabled } from "@longhaul/settings";
import { type Log, openLog, SILENT } from "./logging/log.ts";
import { makeRedactor, type Redact, secretsIn } from "./logging/redact.ts";

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

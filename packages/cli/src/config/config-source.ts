import { homedir } from "node:os";
import { join } from "node:path";
import type { ConfigSource } from "@longhaul/gateway";
import type { Terminal } from "../terminal/terminal.ts";

/** The flags that say something about the configuration. */
export interface ConfigFlags {
  readonly config?: string;
  readonly host?: string;
  readonly port?: number;
  readonly store?: string;
  readonly workers?: number;
}

/** Where a command finds the configuration, and what its flags say instead. The store is in the user's data folder unless somebody says otherwise. */
export function configSource({ config, host, port, store, workers }: ConfigFlags, terminal: Terminal): ConfigSource {
  const { environment, folder } = terminal;
  const data = environment.XDG_DATA_HOME || join(environment.HOME || homedir(), ".local", "share");
  return {
    environment,
    folder,
    ...(config !== undefined && { file: config }),
    defaults: { "store.path": join(data, "longhaul", "longhaul.db") },
    flags: {
      ...(host !== undefined && { "server.host": host }),
      ...(port !== undefined && { "server.port": port }),
      ...(store !== undefined && { "store.path": store }),
      ...(workers !== undefined && { "server.workers": workers }),
    },
  };
}

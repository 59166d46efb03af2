import { loadCatalog, parseOverrides } from "@longhaul/models/advanced";
import { type Config, parseConfig } from "@longhaul/settings";
import type { Destinations } from "../destinations/destination.ts";
import { openHandles } from "../destinations/handles.ts";

/** A configuration with its opened upstreams, and a log. */
export interface Setup extends Destinations {
  readonly config: Config;
  readonly log: { bug(error: unknown, id: string): void };
  close(): Promise<void>;
}

/** Opens the upstreams of a configuration file. Its log is written to `lines`. */
export function makeSetup(file: unknown, lines: string[] = []): Setup {
  const config = parseConfig(file, {});
  const context = { nowMs: () => 0, nowSeconds: () => 0, environment: {}, simulatorUrl: "http://127.0.0.1:9" };
  const handles = openHandles(config, context);
  return {
    config,
    catalog: loadCatalog(parseOverrides(config.models)),
    handles,
    log: { bug: (error, id) => void lines.push(JSON.stringify({ level: "error", id, error: String(error) })) },
    close: async () => {
      await Promise.all([...handles.values()].flat().map(({ connection }) => connection.close()));
    },
  };
}

import { loadCatalog } from "@longhaul/models";
import { type Config, parseConfig } from "@longhaul/settings";
import { openPlaces } from "../destinations/places.ts";
import type { Destinations } from "../destinations/target-at.ts";

/** A configuration with its places, and a log. */
export interface Setup extends Destinations {
  readonly config: Config;
  readonly log: { bug(error: unknown, id: string): void };
  close(): Promise<void>;
}

/** Opens the places of a configuration as it would stand in a file; what it logs is put into `lines`. */
export function makeSetup(file: unknown, lines: string[] = []): Setup {
  const config = parseConfig(file, {});
  const context = { nowMs: () => 0, nowSeconds: () => 0, environment: {}, simulatorUrl: "http://127.0.0.1:9" };
  const places = openPlaces(config, context);
  return {
    config,
    catalog: loadCatalog(config.models),
    places,
    log: { bug: (error, id) => void lines.push(JSON.stringify({ level: "error", id, error: String(error) })) },
    close: async () => {
      await Promise.all([...places.values()].flat().map(({ connection }) => connection.close()));
    },
  };
}

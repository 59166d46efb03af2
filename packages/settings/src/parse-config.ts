import type { Config } from "./config.ts";
import type { Environment } from "./interpolate.ts";
import { layerSettings } from "./layer-settings.ts";

/** Reads a configuration as it stands in a file. Throws `settings.invalid` naming every bad key and every variable that is not set. */
export function parseConfig(file: unknown, environment: Environment): Config {
  return layerSettings({ file: file ?? null, environment }).config;
}

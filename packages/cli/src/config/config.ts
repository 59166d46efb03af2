import { LonghaulError } from "@longhaul/conversation";
import { checkConfig, describeConfig, loadConfig } from "@longhaul/gateway";
import {
  configJsonSchema,
  type EffectiveSetting,
  effectiveSettings,
  isContextDisabled,
  isWithin,
  type LayeredSettings,
  layerSettings,
  parsePath,
} from "@longhaul/settings";
import { storeLocation } from "@longhaul/store";
import { printJson } from "../terminal/output.ts";
import type { Terminal } from "../terminal/terminal.ts";
import { type ConfigFlags, configSource, readStore } from "./config-source.ts";

/** Says what a configuration comes to, or everything that is wrong with it; without a file, the one that `start` would take. */
export async function checkConfigFile(file: string | undefined, terminal: Terminal): Promise<void> {
  const { environment } = terminal;
  const loaded = loadConfig(configSource(file === undefined ? {} : { config: file }, terminal));
  await checkConfig(loaded.config, environment);
  const described = { ...loaded, isContextDisabled: isContextDisabled(environment) };
  terminal.write(`${describeConfig(described)}\nNothing is wrong with it.\n`);
}

/** Prints the configuration's schema, for editors. */
export function printConfigSchema(terminal: Terminal): void {
  printJson(configJsonSchema(), terminal);
}

/** Prints what holds for every setting, or for those at a path, and who says so. One alone is explained. Secrets are not shown. */
export async function showConfig(path: string | undefined, flags: ConfigFlags, terminal: Terminal): Promise<void> {
  const layered = await layeredSettings(flags, terminal);
  const all = effectiveSettings(layered);
  const section = path === undefined ? [] : parsePath(path);
  const shown = all.filter((setting) => isWithin(parsePath(setting.path), section));
  if (shown.length === 0) {
    throw new LonghaulError("settings.invalid", `there is no setting "${path}"; config show lists those there are`);
  }
  const [first] = shown;
  const lines = first !== undefined && first.path === path ? explain(first) : shown.map(describeSetting);
  const notes = layered.warnings.map((warning) => `Note: ${warning}.`);
  terminal.write(`${[...lines, ...notes].join("\n")}\n`);
}

/** With what is stored, where there is a store already. */
async function layeredSettings(flags: ConfigFlags, terminal: Terminal): Promise<LayeredSettings> {
  const { layers, config } = loadConfig(configSource(flags, terminal));
  const kept = await readStore(storeLocation(config), ({ settings }) => settings.load());
  return layerSettings("read" in kept ? { ...layers, stored: kept.read.values } : layers);
}

function describeSetting({ path, value, isSet, origin }: EffectiveSetting): string {
  if (!isSet) return `${path}: (not set)`;
  return `${path}: ${value === undefined ? "(set)" : JSON.stringify(value)} (${origin})`;
}

function explain(effective: EffectiveSetting): string[] {
  const { help, default: preset, variable, needsRestart, storedAs } = effective.setting;
  return [
    describeSetting(effective),
    help,
    ...(preset === undefined ? [] : [`Default: ${JSON.stringify(preset)}.`]),
    ...(variable === undefined ? [] : [`Set by the variable ${variable}, too.`]),
    ...(needsRestart ? ["A change takes effect after a restart."] : []),
    ...(storedAs === undefined ? ["It cannot be changed while the gateway runs."] : []),
  ];
}

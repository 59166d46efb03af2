import { isJsonObject } from "@longhaul/conversation/advanced";
import { checkConfig, loadConfig } from "@longhaul/gateway";
import {
  configJsonSchema,
  type EffectiveSetting,
  effectiveSettings,
  isContextDisabled,
  isWithin,
  parsePath,
} from "@longhaul/settings";
import { invalid } from "../terminal/invalid.ts";
import { printJson } from "../terminal/output.ts";
import type { Terminal } from "../terminal/terminal.ts";
import { type ConfigFlags, configSource, layeredSettings } from "./config-source.ts";
import { describeConfig } from "./describe-config.ts";

/** Prints a summary of a configuration, or throws with all its faults. Without a file, it checks the one that `start` uses. */
export async function checkConfigFile(file: string | undefined, terminal: Terminal): Promise<void> {
  const { environment } = terminal;
  const loaded = loadConfig(configSource(file === undefined ? {} : { config: file }, terminal));
  await checkConfig(loaded.config, environment);
  const described = { ...loaded, isContextDisabled: isContextDisabled(environment) };
  terminal.write(`${describeConfig(described)}\nThe configuration is valid.\n`);
}

export function printConfigSchema(terminal: Terminal): void {
  printJson(configJsonSchema(), terminal);
}

/** Prints effective settings, all or those at a path, with their sources. Explains a single setting. Hides secrets. */
export async function showConfig(path: string | undefined, flags: ConfigFlags, terminal: Terminal): Promise<void> {
  const layered = await layeredSettings(flags, terminal);
  const all = effectiveSettings(layered);
  const section = path === undefined ? [] : parsePath(path);
  const shown = all.filter((setting) => isWithin(parsePath(setting.path), section));
  if (shown.length === 0) {
    throw invalid(`unknown setting "${path}"; list all with \`longhaul config show\``);
  }
  const [first] = shown;
  const lines = first !== undefined && first.path === path ? explain(first) : shown.map(describeSetting);
  const notes = layered.warnings.map((warning) => `Note: ${warning}.`);
  terminal.write(`${[...lines, ...notes].join("\n")}\n`);
}

function describeSetting({ path, value, isSet, origin }: EffectiveSetting): string {
  if (!isSet) return `${path}: (not set)`;
  if (Array.isArray(value) && value.some(isJsonObject)) {
    return [`${path}: (${origin})`, ...value.map((each) => `  - ${describeEntry(each)}`)].join("\n");
  }
  return `${path}: ${value === undefined ? "(set)" : JSON.stringify(value)} (${origin})`;
}

/** Writes an object of a list with spaces, so that its line can be broken. */
function describeEntry(value: unknown): string {
  if (!isJsonObject(value)) return JSON.stringify(value);
  const fields = Object.entries(value).map(([name, field]) => `${name}: ${JSON.stringify(field)}`);
  return `{ ${fields.join(", ")} }`;
}

function explain(effective: EffectiveSetting): string[] {
  const { help, default: preset, variable, needsRestart, storedAs } = effective.setting;
  return [
    describeSetting(effective),
    help,
    ...(preset === undefined ? [] : [`Default: ${JSON.stringify(preset)}.`]),
    ...(variable === undefined ? [] : [`Environment variable: ${variable}.`]),
    ...(needsRestart ? ["Changes take effect after a restart."] : []),
    ...(storedAs === undefined ? ["Cannot be changed in the dashboard or through the admin API."] : []),
  ];
}

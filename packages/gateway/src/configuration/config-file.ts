import { existsSync, readFileSync } from "node:fs";
import { homedir } from "node:os";
import { dirname, join, resolve } from "node:path";
import { isJsonObject, LonghaulError } from "@longhaul/conversation";
import { loadStrategyModules } from "@longhaul/fit";
import { type Environment, type LayeredSettings, layerSettings, type SettingLayers } from "@longhaul/settings";
import { parseDocument } from "yaml";

/** A configuration with its layers and its file. */
export interface LoadedConfig extends LayeredSettings {
  readonly layers: SettingLayers;
  /** Absent if only the environment was used. */
  readonly file?: string;
}

/** Where to look for the configuration. */
export interface ConfigSource extends Pick<SettingLayers, "defaults" | "flags"> {
  /** The file that the command line names. */
  readonly file?: string;
  readonly environment: Environment;
  readonly folder: string;
}

/**
 * Reads the configuration from the named file, else `LONGHAUL_CONFIG`, `./longhaul.yaml`, `./longhaul.json`, the user's configuration folder,
 * else the environment only.
 */
export function loadConfig({ file: named, environment, folder, ...over }: ConfigSource): LoadedConfig {
  const asked = named ?? environment.LONGHAUL_CONFIG;
  const file = asked || standardFiles(environment, folder).find((path) => existsSync(path));
  const layers = { ...over, environment, ...(file !== undefined && { file: readYaml(file) }) };
  if (file !== undefined) loadStrategyModules(modulesIn(layers.file, dirname(resolve(folder, file))));
  return { ...layerSettings(layers), layers, ...(file !== undefined && { file }) };
}

/** Returns the modules with strategies that a file lists. They are loaded before the file is checked, because it may use them. */
function modulesIn(file: unknown, folder: string): string[] {
  const { strategyModules } = isJsonObject(file) ? file : { strategyModules: [] };
  const names = Array.isArray(strategyModules) ? strategyModules : [];
  return names.filter((name) => typeof name === "string").map((name) => resolve(folder, name));
}

function standardFiles(environment: Environment, folder: string): string[] {
  const home = environment.XDG_CONFIG_HOME || join(environment.HOME || homedir(), ".config");
  return [join(folder, "longhaul.yaml"), join(folder, "longhaul.json"), join(home, "longhaul", "longhaul.yaml")];
}

/** Reads JSON, too, which is a subset of YAML. */
function readYaml(file: string): unknown {
  let text: string;
  try {
    text = readFileSync(file, "utf8");
  } catch (cause) {
    throw new LonghaulError(
      "settings.invalid",
      `the configuration ${file} cannot be read; check its path and permissions`,
      { cause },
    );
  }
  const document = parseDocument(text);
  const [fault] = document.errors;
  if (fault !== undefined) throw notYaml(file, fault);
  try {
    return document.toJS();
  } catch (cause) {
    throw notYaml(file, cause);
  }
}

/** Uses only the parser's first line: the others quote the file, which may contain secrets. */
function notYaml(file: string, cause: unknown): LonghaulError {
  const [why = ""] = cause instanceof Error ? cause.message.split(/:?\n/) : [];
  return new LonghaulError("settings.invalid", `${file} is not valid YAML: ${why}`, { cause });
}

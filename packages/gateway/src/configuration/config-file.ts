import { existsSync, readFileSync } from "node:fs";
import { homedir } from "node:os";
import { join } from "node:path";
import { LonghaulError } from "@longhaul/conversation";
import { type Environment, type LayeredSettings, layerSettings, type SettingLayers } from "@longhaul/settings";
import { parseDocument } from "yaml";

/** A configuration and where it came from. */
export interface LoadedConfig extends LayeredSettings {
  /** What it was made of. */
  readonly layers: SettingLayers;
  /** The file, or nothing where the environment alone was used. */
  readonly file?: string;
}

/** What finding the configuration takes from outside. */
export interface ConfigSource extends Pick<SettingLayers, "defaults" | "flags"> {
  /** The file that the command line names. */
  readonly file?: string;
  readonly environment: Environment;
  readonly folder: string;
}

/**
 * Reads the configuration: the file that was named, else `LONGHAUL_CONFIG`, `./longhaul.yaml`, the user's configuration folder, else the
 * environment alone.
 */
export function loadConfig({ file: named, environment, folder, ...over }: ConfigSource): LoadedConfig {
  const asked = named ?? environment.LONGHAUL_CONFIG;
  const file = asked || standardFiles(environment, folder).find((path) => existsSync(path));
  const layers = { ...over, environment, ...(file !== undefined && { file: readYaml(file) }) };
  return { ...layerSettings(layers), layers, ...(file !== undefined && { file }) };
}

function standardFiles(environment: Environment, folder: string): string[] {
  const home = environment.XDG_CONFIG_HOME || join(environment.HOME || homedir(), ".config");
  return [join(folder, "longhaul.yaml"), join(folder, "longhaul.json"), join(home, "longhaul", "longhaul.yaml")];
}

/** JSON is YAML too. */
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

/** Only the first line: the others quote the file, which holds secrets. */
function notYaml(file: string, cause: unknown): LonghaulError {
  const [why = ""] = cause instanceof Error ? cause.message.split(/:?\n/) : [];
  return new LonghaulError("settings.invalid", `${file} is not valid YAML: ${why}`, { cause });
}

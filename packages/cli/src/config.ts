import { checkConfig, describeConfig, loadConfig } from "@longhaul/gateway";
import { configJsonSchema, isContextDisabled } from "@longhaul/settings";
import { configSource } from "./config-source.ts";
import { printJson } from "./print.ts";
import type { Terminal } from "./terminal.ts";

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

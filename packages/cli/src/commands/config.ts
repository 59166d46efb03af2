import type { Command } from "commander";
import type { ConfigFlags } from "../config/config-source.ts";
import { withConfig } from "../terminal/options.ts";
import type { Terminal } from "../terminal/terminal.ts";

/** Adds the commands that look at the configuration. */
export function addConfigCommands(config: Command, terminal: Terminal): void {
  config
    .command("check")
    .description("say what a configuration comes to, or everything that is wrong with it")
    .argument("[file]", "configuration (default: the one that start would take)")
    .addHelpText("after", CHECK_EXAMPLES)
    .action(async (file: string | undefined) => (await import("../config/config.ts")).checkConfigFile(file, terminal));
  withConfig(config.command("show"))
    .description("print what holds for every setting, and who says so; secrets are not shown")
    .argument("[path]", "a setting, which is explained, or a section")
    .addHelpText("after", SHOW_EXAMPLES)
    .action(async (path: string | undefined, flags: ConfigFlags) =>
      (await import("../config/config.ts")).showConfig(path, flags, terminal),
    );
  config
    .command("schema")
    .description("print the configuration's JSON Schema, for editors")
    .addHelpText("after", SCHEMA_EXAMPLES)
    .action(async () => (await import("../config/config.ts")).printConfigSchema(terminal));
}

const CHECK_EXAMPLES = `
Examples:
  longhaul config check
  longhaul config check longhaul.yaml`;

const SHOW_EXAMPLES = `
Examples:
  longhaul config show
  longhaul config show context
  longhaul config show context.strategy --config longhaul.yaml`;

const SCHEMA_EXAMPLES = `
Examples:
  longhaul config schema > longhaul.schema.json`;

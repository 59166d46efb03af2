import type { Command } from "commander";
import type { ConfigFlags } from "../config/config-source.ts";
import { DEFAULT_CONFIG, examples, withConfig } from "../terminal/options.ts";
import type { Terminal } from "../terminal/terminal.ts";

/** Adds the commands that inspect the configuration. */
export function addConfigCommands(config: Command, terminal: Terminal): void {
  config
    .command("check")
    .description("validate a configuration and print the result")
    .argument("[file]", DEFAULT_CONFIG)
    .addHelpText("after", examples(["config check", "config check longhaul.yaml"]))
    .action(async (file: string | undefined) => (await import("../config/config.ts")).checkConfigFile(file, terminal));
  withConfig(config.command("show"))
    .description("print every effective setting and where it comes from (secrets hidden)")
    .argument("[path]", "a section to list, or a setting to explain")
    .addHelpText(
      "after",
      examples(["config show", "config show context", "config show context.strategy --config longhaul.yaml"]),
    )
    .action(async (path: string | undefined, flags: ConfigFlags) =>
      (await import("../config/config.ts")).showConfig(path, flags, terminal),
    );
  config
    .command("schema")
    .description("print the configuration's JSON Schema, for editors")
    .addHelpText("after", examples(["config schema > longhaul.schema.json"]))
    .action(async () => (await import("../config/config.ts")).printConfigSchema(terminal));
}

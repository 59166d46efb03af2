import type { Command } from "commander";
import { type ImportFlags, importFile } from "./import/import-file.ts";
import type { Terminal } from "./terminal.ts";

/** Adds the commands that look after a gateway and whoever uses it. */
export function addCareCommands(program: Command, terminal: Terminal): void {
  program
    .command("import")
    .description("make a configuration of another gateway's: claude-code-proxy, claude-code-router, LiteLLM or Portkey")
    .argument("<file>", ".env, config.json, YAML or JSON; which tool it is of is told by what it holds")
    .option("--out <file>", "write it there (default: it is printed)")
    .addHelpText("after", IMPORT_EXAMPLES)
    .action((file: string, flags: ImportFlags) => importFile(file, flags, terminal));
}

const IMPORT_EXAMPLES = `
Keys are never copied: the variables that hold them are named instead. What cannot be taken over is listed with the reason.

Examples:
  longhaul import ~/.claude-code-router/config.json --out longhaul.yaml
  longhaul import litellm_config.yaml
  longhaul import .env`;

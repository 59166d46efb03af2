import { Argument, type Command, Option } from "commander";
import type { ConfigFlags } from "../config/config-source.ts";
import type { DoctorFlags } from "../doctor/doctor.ts";
import type { UsageFlags } from "../gateway/usage.ts";
import type { ImportFlags } from "../import/import-file.ts";
import { completion, SHELLS, type Shell } from "../terminal/completion.ts";
import { USAGE_GROUPS, USAGE_PERIODS, withAddress, withConfig, withStore } from "../terminal/options.ts";
import { readVersion } from "../terminal/program-files.ts";
import type { Terminal } from "../terminal/terminal.ts";

/** Adds the commands that look after a gateway and whoever uses it. */
export function addToolCommands(program: Command, terminal: Terminal): void {
  addFigures(program, terminal);
  withAddress(withConfig(program.command("doctor")))
    .description("look at everything that can be wrong, and say what to do about it")
    .option("--offline", "do not ask the upstreams")
    .option("--json", "print one object")
    .addHelpText("after", DOCTOR_EXAMPLES)
    .action(async (flags: DoctorFlags) => (await import("../doctor/doctor.ts")).doctor(flags, terminal));
  program
    .command("import")
    .description("make a configuration of another gateway's: claude-code-proxy, claude-code-router, LiteLLM or Portkey")
    .argument("<file>", ".env, config.json, YAML or JSON; which tool it is of is told by what it holds")
    .option("--out <file>", "write it there (default: it is printed)")
    .addHelpText("after", IMPORT_EXAMPLES)
    .action(async (file: string, flags: ImportFlags) =>
      (await import("../import/import-file.ts")).importFile(file, flags, terminal),
    );
  program
    .command("completion")
    .description("print a script that makes a shell complete command lines")
    .addArgument(new Argument("<shell>", "which shell").choices(SHELLS))
    .addHelpText("after", COMPLETION_EXAMPLES)
    .action((shell: Shell) => completion(shell, program, terminal));
  program
    .command("version")
    .description("print the versions of Longhaul and of Node, and the platform")
    .action(() =>
      terminal.write(`longhaul ${readVersion()}, Node ${process.versions.node}, ${process.platform} ${process.arch}\n`),
    );
}

function addFigures(program: Command, terminal: Terminal): void {
  withStore(program.command("usage"))
    .description("tell what was used and saved today, in the last 7 and in the last 30 days")
    .addOption(new Option("--by <what>", "what to tell a period by").choices(USAGE_GROUPS).default("model"))
    .addOption(new Option("--period <span>", "which").choices(Object.keys(USAGE_PERIODS)).default("month"))
    .option("--json", "print one object")
    .addHelpText("after", USAGE_EXAMPLES)
    .action(async (flags: UsageFlags) => (await import("../gateway/usage.ts")).usage(flags, terminal));
  withStore(program.command("statusline"))
    .description("print one line about a session, for the status line of Claude Code")
    .addHelpText("after", STATUSLINE_EXAMPLES)
    .action(async (flags: ConfigFlags) => (await import("../gateway/statusline.ts")).statusline(flags, terminal));
}

const USAGE_EXAMPLES = `
Examples:
  longhaul usage
  longhaul usage --by key --period week
  longhaul usage --json`;

const STATUSLINE_EXAMPLES = `
Reads what Claude Code writes to its status line's command. In ~/.claude/settings.json:
  "statusLine": { "type": "command", "command": "longhaul statusline" }

Examples:
  longhaul statusline < /dev/null`;

const DOCTOR_EXAMPLES = `
Every upstream is asked for its models, with its key; nothing is spent. The exit code is 1 where something is wrong.

Examples:
  longhaul doctor
  longhaul doctor --offline --config longhaul.yaml`;

const COMPLETION_EXAMPLES = `
Examples:
  longhaul completion bash >> ~/.bashrc
  longhaul completion zsh >> ~/.zshrc
  longhaul completion fish > ~/.config/fish/completions/longhaul.fish`;

const IMPORT_EXAMPLES = `
Keys are never copied: the variables that hold them are named instead. What cannot be taken over is listed with the reason.

Examples:
  longhaul import ~/.claude-code-router/config.json --out longhaul.yaml
  longhaul import litellm_config.yaml
  longhaul import .env`;

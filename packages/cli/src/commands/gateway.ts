import { type Command, Option } from "commander";
import type { ConfigFlags } from "../config/config-source.ts";
import type { DoctorFlags } from "../doctor/doctor.ts";
import type { UsageFlags } from "../gateway/usage.ts";
import type { WindowsFlags } from "../gateway/windows.ts";
import {
  argumentCount,
  argumentDate,
  argumentLastDate,
  argumentPort,
  DEFAULT_CONFIG,
  examples,
  USAGE_GROUPS,
  USAGE_PERIODS,
  withAddress,
  withConfig,
} from "../terminal/options.ts";
import type { Terminal } from "../terminal/terminal.ts";

const CONFIG =
  "configuration file (default: $LONGHAUL_CONFIG, ./longhaul.yaml, ./longhaul.json or ~/.config/longhaul/longhaul.yaml; if none exists, only environment variables are used)";
const PORT = "port to listen on, 0 for any free port (default: $PORT, then the configuration, then 4141)";
const STORE =
  "database file, or :memory: (default: $LONGHAUL_STORE, then the configuration, then longhaul.db in the user's data folder)";
const WORKERS = "number of processes, 0 for one per core (default: from the configuration, or 1)";
const FORGET = "clear the windows of an upstream, or of one model there (a running gateway applies this after SIGHUP)";

export function addGatewayCommands(program: Command, terminal: Terminal): void {
  program
    .command("start")
    .description("start the gateway")
    .option("--config <file>", CONFIG)
    .option("--host <host>", "address to listen on (default: from the configuration, or 127.0.0.1)")
    .option("--port <port>", PORT, argumentPort)
    .option("--store <file>", STORE)
    .option("--workers <number>", WORKERS, argumentCount(0))
    .addHelpText("after", examples(["start", "start --config longhaul.yaml --port 8080", "start --workers 0"]))
    .action(async (flags: ConfigFlags) => {
      const isPlain = Object.keys(flags).length === 0 && terminal.isInteractive;
      if (isPlain && (await (await import("../setup/setup.ts")).offerSetup(terminal))) return;
      await (await import("../start/start.ts")).start(flags, terminal);
    });
  withAddress(withConfig(program.command("dashboard")))
    .description("print a link that signs in to the dashboard of the running gateway")
    .addHelpText("after", examples(["dashboard", "dashboard --port 8080"]))
    .action(async (flags: ConfigFlags) => (await import("../gateway/dashboard.ts")).dashboard(flags, terminal));
  withConfig(program.command("usage"))
    .description("show usage and savings: of today, the last 7 and the last 30 days, and of one period in detail")
    .addOption(new Option("--by <field>", "what to group the details by").choices(USAGE_GROUPS).default("model"))
    .addOption(
      new Option(
        "--period <period>",
        "period of the details: today, the last 7 days (week) or the last 30 days (month)",
      )
        .choices(Object.keys(USAGE_PERIODS))
        .default("month"),
    )
    .option("--since <date>", "first day of the details, instead of a period", argumentDate)
    .option("--until <date>", "last day of the details", argumentLastDate)
    .addOption(new Option("--csv", "print the details as CSV").conflicts("json"))
    .option("--json", "print JSON")
    .addHelpText(
      "after",
      examples(
        ["usage", "usage --by day --since 2026-11-01", "usage --by block", "usage --by key --period week --csv"],
        USAGE_NOTE,
      ),
    )
    .action(async (flags: UsageFlags) => (await import("../gateway/usage.ts")).usage(flags, terminal));
  withAddress(withConfig(program.command("doctor")))
    .description("check the setup and suggest fixes")
    .option("--offline", "skip the requests to upstreams")
    .option("--json", "print JSON")
    .addHelpText("after", examples(["doctor", "doctor --offline --config longhaul.yaml"], DOCTOR_NOTE))
    .action(async (flags: DoctorFlags) => (await import("../doctor/doctor.ts")).doctor(flags, terminal));
  withConfig(program.command("windows"))
    .description("list or clear context windows learned from upstream errors")
    .option("--forget <name...>", FORGET)
    .addHelpText("after", examples(["windows", "windows --forget claude", "windows --forget claude claude-sonnet-4-5"]))
    .action(async (flags: WindowsFlags) => (await import("../gateway/windows.ts")).windows(flags, terminal));
}

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

const USAGE_NOTE =
  "A block is five hours from the full hour of its first request on, as subscriptions limit usage. Its burn rate is measured from the first to the last request.";

const DOCTOR_NOTE =
  "Asks each upstream for its list of models, which costs nothing. Exits with code 1 if a check fails.";

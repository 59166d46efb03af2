import type { Command } from "commander";
import type { ConfigFlags } from "../config/config-source.ts";
import type { WindowsFlags } from "../gateway/windows.ts";
import type { SimulateFlags } from "../start/simulate.ts";
import { argumentCount, argumentPort, withAddress, withConfig, withStore } from "../terminal/options.ts";
import type { Terminal } from "../terminal/terminal.ts";

const CONFIG = "configuration (default: LONGHAUL_CONFIG, ./longhaul.yaml, the user's folder, else the environment)";
const PORT = "port to listen on, 0 for any free one (default: PORT, the configuration's, else 4141)";
const STORE =
  "file that keeps what outlives a restart, or :memory: (default: LONGHAUL_STORE, the configuration's, else longhaul.db in the user's data folder)";
const WORKERS = "processes that answer at that port, 0 for one for each core (default: the configuration's, else 1)";
const FORGET =
  "an upstream, or an upstream and one model there, whose windows are forgotten; a gateway that runs reads them again on SIGHUP, and goes by what it knows until then";

/** Adds the commands that run a gateway, or a simulator, or look at one that runs. */
export function addGatewayCommands(program: Command, terminal: Terminal): void {
  program
    .command("start")
    .description("start the gateway and keep it running until it is stopped")
    .option("--config <file>", CONFIG)
    .option("--host <host>", "address to listen on (default: the configuration's, else 127.0.0.1)")
    .option("--port <port>", PORT, argumentPort)
    .option("--store <file>", STORE)
    .option("--workers <number>", WORKERS, argumentCount(0))
    .addHelpText("after", START_EXAMPLES)
    .action(async (flags: ConfigFlags) => (await import("../start/start.ts")).start(flags, terminal));
  withAddress(withConfig(program.command("dashboard")))
    .description("print an address that opens the dashboard of the gateway that runs")
    .addHelpText("after", DASHBOARD_EXAMPLES)
    .action(async (flags: ConfigFlags) => (await import("../gateway/dashboard.ts")).dashboard(flags, terminal));
  program
    .command("simulate")
    .description("start look-alikes of the model vendors' APIs and nothing else, to try clients on")
    .option("--port <port>", "port to listen on (default: any free one)", argumentPort)
    .addHelpText("after", SIMULATE_EXAMPLES)
    .action(async (flags: SimulateFlags) => (await import("../start/simulate.ts")).simulate(flags, terminal));
  withStore(program.command("windows"))
    .description("list the context windows that upstreams' overflow errors taught, or forget them")
    .option("--forget <name...>", FORGET)
    .addHelpText("after", WINDOWS_EXAMPLES)
    .action(async (flags: WindowsFlags) => (await import("../gateway/windows.ts")).windows(flags, terminal));
}

const START_EXAMPLES = `
Examples:
  longhaul start
  longhaul start --config longhaul.yaml --port 8080
  longhaul start --workers 0`;

const DASHBOARD_EXAMPLES = `
Examples:
  longhaul dashboard
  longhaul dashboard --port 8080`;

const SIMULATE_EXAMPLES = `
Examples:
  longhaul simulate
  longhaul simulate --port 4200`;

const WINDOWS_EXAMPLES = `
Examples:
  longhaul windows
  longhaul windows --forget claude
  longhaul windows --forget claude claude-sonnet-4-5`;

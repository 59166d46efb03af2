import { Command } from "commander";
import { addCareCommands } from "./care-commands.ts";
import { addClientCommands } from "./client-commands.ts";
import type { ConfigFlags } from "./config-source.ts";
import { exitCodeOf } from "./exit-code.ts";
import { addKeyCommands } from "./keys/key-commands.ts";
import { addLogCommands } from "./log-commands.ts";
import { addPlayCommands } from "./play-commands.ts";
import { argumentPort } from "./port.ts";
import type { SimulateFlags } from "./simulate.ts";
import type { Terminal } from "./terminal.ts";
import { readVersion } from "./version.ts";
import type { WindowsFlags } from "./windows.ts";

/** Runs one command line and resolves to the exit code: 0 done, 1 failed, 2 called wrongly. */
export async function run(args: readonly string[], terminal: Terminal): Promise<number> {
  try {
    await makeProgram(terminal).parseAsync(args, { from: "user" });
    return 0;
  } catch (error) {
    return exitCodeOf(error, terminal);
  }
}

const FORGET =
  "an upstream, or an upstream and one model there, whose windows are forgotten; a gateway that runs reads them again on SIGHUP, and goes by what it knows until then";

const STORE =
  "file that keeps what outlives a restart, or :memory: (default: LONGHAUL_STORE, the configuration's, else longhaul.db in the user's data folder)";

/** What a command does is loaded when it is called, so that none waits for the others. */
function makeProgram(terminal: Terminal): Command {
  const program = new Command("longhaul")
    .description("Keeps LLM sessions alive past the model's context window.")
    .version(readVersion())
    .exitOverride()
    .enablePositionalOptions()
    .configureOutput({ writeOut: terminal.write, writeErr: terminal.writeError });
  program
    .command("start")
    .description("start the gateway and keep it running until it is stopped")
    .option(
      "--config <file>",
      "configuration (default: LONGHAUL_CONFIG, ./longhaul.yaml, the user's folder, else the environment)",
    )
    .option("--host <host>", "address to listen on (default: the configuration's, else 127.0.0.1)")
    .option(
      "--port <port>",
      "port to listen on, 0 for any free one (default: PORT, the configuration's, else 4141)",
      argumentPort,
    )
    .option("--store <file>", STORE)
    .option(
      "--workers <number>",
      "processes that answer at that port, 0 for one for each core (default: the configuration's, else 1)",
      Number,
    )
    .action(async (options: ConfigFlags) => (await import("./start.ts")).start(options, terminal));
  program
    .command("dashboard")
    .description("print an address that opens the dashboard of the gateway that runs")
    .option("--config <file>", "configuration (default: the one that start would take)")
    .option("--host <host>", "address that the gateway listens on (default: the configuration's)")
    .option("--port <port>", "port that it listens on (default: PORT, the configuration's)", argumentPort)
    .option("--store <file>", "the store (default: the one that start would take)")
    .action(async (options: ConfigFlags) => (await import("./dashboard.ts")).dashboard(options, terminal));
  program
    .command("simulate")
    .description("start look-alikes of the model vendors' APIs and nothing else, to try clients on")
    .option("--port <port>", "port to listen on (default: any free one)", argumentPort)
    .action(async (options: SimulateFlags) => (await import("./simulate.ts")).simulate(options, terminal));
  program
    .command("windows")
    .description("list the context windows that upstreams' overflow errors taught, or forget them")
    .option("--forget <name...>", FORGET)
    .option("--config <file>", "configuration that says where the store is (default: the one that start would take)")
    .option("--store <file>", "the store (default: the one that start would take)")
    .action(async (options: WindowsFlags) => (await import("./windows.ts")).windows(options, terminal));
  addClientCommands(program, terminal);
  addPlayCommands(program, terminal);
  addLogCommands(program, terminal);
  addCareCommands(program, terminal);
  addKeyCommands(program.command("keys").description("make, list, change and revoke the gateway's keys"), terminal);
  addConfigCommands(program.command("config").description("look at the configuration"), terminal);
  return program;
}

function addConfigCommands(config: Command, terminal: Terminal): void {
  config
    .command("check")
    .description("say what a configuration comes to, or everything that is wrong with it")
    .argument("[file]", "configuration (default: the one that start would take)")
    .action(async (file: string | undefined) => (await import("./config.ts")).checkConfigFile(file, terminal));
  config
    .command("show")
    .description("print what holds for every setting, and who says so; secrets are not shown")
    .argument("[path]", "a setting, which is explained, or a section")
    .option("--config <file>", "configuration (default: the one that start would take)")
    .option("--store <file>", "the store (default: the one that start would take)")
    .action(async (path: string | undefined, options: ConfigFlags) =>
      (await import("./show-config.ts")).showConfig(path, options, terminal),
    );
  config
    .command("schema")
    .description("print the configuration's JSON Schema, for editors")
    .action(async () => (await import("./config.ts")).printConfigSchema(terminal));
}

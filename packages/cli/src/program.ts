import { Command } from "commander";
import { addClientCommands } from "./commands/clients.ts";
import { addConfigCommands } from "./commands/config.ts";
import { addGatewayCommands } from "./commands/gateway.ts";
import { addKeyCommands } from "./commands/keys.ts";
import { addFileCommands, addPlayCommands } from "./commands/sessions.ts";
import { addToolCommands } from "./commands/tools.ts";
import { exitCodeOf } from "./terminal/exit-code.ts";
import { readVersion } from "./terminal/program-files.ts";
import type { Terminal } from "./terminal/terminal.ts";

/** Runs one command line and resolves to the exit code: 0 done, 1 failed, 2 called wrongly; with `run`, the client's own. */
export async function run(args: readonly string[], terminal: Terminal): Promise<number> {
  try {
    await makeProgram(terminal).parseAsync(args, { from: "user" });
    return 0;
  } catch (error) {
    return exitCodeOf(error, terminal);
  }
}

const DESCRIPTION = `Keeps LLM sessions alive past the model's context window.

To begin: longhaul demo --fast shows it; longhaul start runs the gateway, and longhaul connect points a client at it.`;

/** What a command does is loaded when it is called, so that none waits for the others. */
function makeProgram(terminal: Terminal): Command {
  const program = new Command("longhaul")
    .description(DESCRIPTION)
    .version(readVersion())
    .exitOverride()
    .enablePositionalOptions()
    .configureOutput({ writeOut: terminal.write, writeErr: terminal.writeError });
  addGatewayCommands(program, terminal);
  addClientCommands(program, terminal);
  addPlayCommands(program, terminal);
  addFileCommands(program, terminal);
  addToolCommands(program, terminal);
  addKeyCommands(program.command("keys").description("make, list, change and revoke the gateway's keys"), terminal);
  addConfigCommands(program.command("config").description("look at the configuration"), terminal);
  return program;
}

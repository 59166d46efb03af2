import { Command } from "commander";
import { addFileCommands } from "../commands/sessions.ts";
import { exitCodeOf } from "../terminal/exit-code.ts";
import type { Terminal } from "../terminal/terminal.ts";

/** Runs one of the commands on files without loading the others, and resolves to the exit code. */
export async function runLogCommand(args: readonly string[], terminal: Terminal): Promise<number> {
  const program = new Command("longhaul").exitOverride();
  program.configureOutput({ writeOut: terminal.write, writeErr: terminal.writeError });
  addFileCommands(program, terminal);
  try {
    await program.parseAsync(args, { from: "user" });
    return 0;
  } catch (error) {
    return exitCodeOf(error, terminal);
  }
}

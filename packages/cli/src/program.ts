import { Command } from "commander";
import { addClientCommands } from "./commands/clients.ts";
import { addConfigCommands, addGatewayCommands } from "./commands/gateway.ts";
import { addKeyCommands } from "./commands/keys.ts";
import { addFileCommands, addPlayCommands, addSessionCommands } from "./commands/sessions.ts";
import { addToolCommands } from "./commands/tools.ts";
import { withCommandName } from "./terminal/command-name.ts";
import { exitCodeOf } from "./terminal/exit-code.ts";
import { helpNote } from "./terminal/options.ts";
import { wrapping } from "./terminal/output.ts";
import { readVersion } from "./terminal/program-files.ts";
import { changedTerminal, type Terminal } from "./terminal/terminal.ts";

/** Runs one command line. Resolves to the exit code: 0 for success, 1 for failure, 2 for wrong usage; for `run`, the client's own. */
export async function run(args: readonly string[], terminal: Terminal): Promise<number> {
  const has = (names: ReadonlySet<string>) => args.some((each) => names.has(each));
  const isHelp = args.length === 0 || has(HELP);
  const isForPrograms = has(FOR_PROGRAMS) && !isHelp;
  const isVerbatim = isForPrograms || (has(COPIED) && !isHelp && !has(WRITES));
  const named = withCommandName(wrapping(terminal, { isVerbatim }), { isForPrograms, isHelp });
  try {
    const isPlain = args[0] !== "run" && args.includes(NO_COLOR);
    const used = isPlain ? plainTerminal(named) : named;
    await makeProgram(used).parseAsync(isPlain ? args.filter((each) => each !== NO_COLOR) : args, { from: "user" });
    return 0;
  } catch (error) {
    return exitCodeOf(error, named);
  }
}

/** Commands and options whose output other programs read. */
const FOR_PROGRAMS = new Set(["completion", "--csv", "--json", "--print"]);

/** Commands whose output is copied to files, so that its lines must stay whole; not if they write the files themselves. */
const COPIED = new Set(["connect", "import", "schema"]);
const WRITES = new Set(["--write", "--undo"]);

const HELP = new Set(["--help", "-h"]);

/** Accepted anywhere on the command line, except that `run` passes it on to its client. */
const NO_COLOR = "--no-color";

function plainTerminal(terminal: Terminal): Terminal {
  return changedTerminal(terminal, { hasColours: false, environment: { ...terminal.environment, NO_COLOR: "1" } });
}

const CONFIG_FILES =
  "The configuration is the file in $LONGHAUL_CONFIG, ./longhaul.yaml, ./longhaul.json or ~/.config/longhaul/longhaul.yaml; without a file, environment variables. `longhaul config check` names the one in use.";

const DESCRIPTION = `Keeps LLM sessions alive past the model's context window.

Try it with \`longhaul demo --fast\`. Connect your clients and start the gateway with \`longhaul setup\`.`;

/** Each action loads its own code when it is called, so that a command does not wait for the code of the others. */
function makeProgram(terminal: Terminal): Command {
  const program = new Command("longhaul")
    .description(DESCRIPTION)
    .version(readVersion(), "-V, --version", "print the version")
    .helpOption("-h, --help", "show help")
    .option(NO_COLOR, "print without colors (also: NO_COLOR=1)")
    .exitOverride()
    .enablePositionalOptions()
    .configureOutput({
      writeOut: terminal.write,
      writeErr: terminal.writeError,
      outputError: writeUsageError,
      getOutHelpWidth: () => helpWidth(terminal),
      getErrHelpWidth: () => helpWidth(terminal),
    });
  program.commandsGroup("Gateway:");
  addGatewayCommands(program, terminal);
  addKeyCommands(
    withHelp(program.command("keys").description("create, list, change, revoke and delete the gateway's own API keys")),
    terminal,
  );
  addConfigCommands(
    withHelp(
      program
        .command("config")
        .description("validate the configuration, show every setting and its source, print its schema")
        .addHelpText("after", helpNote(CONFIG_FILES)),
    ),
    terminal,
  );
  program.commandsGroup("Clients:");
  addClientCommands(program, terminal);
  program.commandsGroup("Sessions:");
  addSessionCommands(program, terminal);
  addPlayCommands(program, terminal);
  addFileCommands(program, terminal);
  program.commandsGroup("Other:");
  addToolCommands(program, terminal);
  pointToHelp(program, "longhaul");
  return withHelp(program);
}

/** Leaves room for the longer name of the command in a clone. */
function helpWidth({ columns }: Terminal): number {
  return Number.isFinite(columns) ? Math.min(MAX_HELP_WIDTH, columns - "npx ".length) : DEFAULT_HELP_WIDTH;
}

const DEFAULT_HELP_WIDTH = 80;
const MAX_HELP_WIDTH = 100;

/** Ends every usage error with the command that prints the help. */
function pointToHelp(command: Command, words: string): void {
  command.showHelpAfterError(`Run \`${words} --help\` for usage.`);
  for (const below of command.commands) pointToHelp(below, `${words} ${below.name()}`);
}

function withHelp(command: Command): Command {
  return command.helpCommand("help [command]", "show help for a command");
}

/** Prints commander's errors like our own. */
function writeUsageError(text: string, write: (text: string) => void): void {
  write(
    text
      .replace(/^error: /, "longhaul: ")
      .replace(/option '(.+?)' argument '(.*)' is invalid\./, "the value '$2' is invalid for option '$1'.")
      .replace("command-argument value", "the value")
      .replace("Allowed choices are", "Choose from"),
  );
}

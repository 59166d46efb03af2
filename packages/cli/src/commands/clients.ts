import { Argument, type Command, InvalidArgumentError, Option } from "commander";
import { CLIENTS, type Client } from "../connect/clients.ts";
import type { ConnectFlags } from "../connect/connect.ts";
import type { ClientFlags } from "../connect/fill.ts";
import type { Terminal } from "../terminal/terminal.ts";

const DEFAULT_MODEL = "claude-sonnet-4-5";

/** Adds the commands that point clients at the gateway: `connect` and `run`. */
export function addClientCommands(program: Command, terminal: Terminal): void {
  withTarget(program.command("connect"))
    .description("print the settings that point a client at the gateway, or write them")
    .addArgument(clientArgument("[client]", "client to connect (default: list all)", CLIENTS))
    .option("--write", "write them into the client's user settings, after showing the changes")
    .addOption(new Option("--undo", "revert what --write did").conflicts("write"))
    .option("--yes", "do not ask before writing")
    .addHelpText("after", CONNECT_EXAMPLES)
    .action(async (client: Client | undefined, flags: ConnectFlags) =>
      (await import("../connect/connect.ts")).connect(client, flags, terminal),
    );
  withTarget(program.command("run"))
    .description("start a client that uses the gateway, without writing any settings")
    .addArgument(clientArgument("<client>", "client to start", STARTED))
    .argument("[args...]", "arguments for the client")
    .passThroughOptions()
    .addHelpText("after", RUN_EXAMPLES)
    .action(async (client: Client, args: string[], flags: ClientFlags) =>
      (await import("../connect/run-client.ts")).runClient(client, { args, flags }, terminal),
    );
}

const STARTED = CLIENTS.filter(({ program }) => program !== undefined);

/** The others are taken, too: the command says why it can do nothing for them. */
function clientArgument(name: string, about: string, offered: readonly Client[]): Argument {
  return new Argument(name, about).choices(offered.map(({ id }) => id)).argParser(argumentClient);
}

function withTarget(command: Command): Command {
  return command
    .option("--url <address>", "the gateway's address (default: the configured one)")
    .option("--key <key>", "key that the client sends (default: LONGHAUL_KEY)")
    .option("--model <id>", "model, for clients that need one in their settings", DEFAULT_MODEL);
}

const CONNECT_EXAMPLES = `
Examples:
  longhaul connect
  longhaul connect codex
  longhaul connect claude-code --write
  longhaul connect claude-code --undo
  longhaul connect opencode --url https://gateway.example.org --key lh_…`;

const RUN_EXAMPLES = `
Put this command's flags before the client's name, and the client's after it. The exit code is the client's.

Examples:
  longhaul run claude-code
  longhaul run --key any claude-code -p "What is in this folder?"
  longhaul run codex exec "Run the tests."`;

/** The client that an argument names; anything else is a wrong call. */
export function argumentClient(id: string): Client {
  const client = CLIENTS.find((each) => each.id === id.toLowerCase());
  if (client !== undefined) return client;
  const known = CLIENTS.map((each) => each.id).join(", ");
  throw new InvalidArgumentError(`there is no client "${id}"; choose among ${known}`);
}

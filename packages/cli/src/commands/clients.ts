import { Argument, type Command, InvalidArgumentError, Option } from "commander";
import type { ConfigFlags } from "../config/config-source.ts";
import { CLIENTS, type Client } from "../connect/clients.ts";
import type { ConnectFlags } from "../connect/connect.ts";
import type { ClientFlags } from "../connect/fill.ts";
import type { SetupFlags } from "../setup/setup.ts";
import { DEFAULT_MODEL, examples, withConfig } from "../terminal/options.ts";
import type { Terminal } from "../terminal/terminal.ts";

export function addClientCommands(program: Command, terminal: Terminal): void {
  addSetup(program, terminal);
  withGateway(program.command("connect"))
    .description("print the settings that point a client at the gateway, or write them")
    .addArgument(clientArgument("[client]", "client to connect (default: list all)", CLIENTS))
    .option("--write", "write the settings to the client's user configuration, after showing the changes")
    .addOption(new Option("--undo", "revert the changes made by --write").conflicts("write"))
    .option("--yes", "write without asking")
    .addHelpText(
      "after",
      examples([
        "connect",
        "connect codex",
        "connect claude-code --write",
        "connect claude-code --undo",
        "connect opencode --url https://gateway.example.org --key lh_…",
      ]),
    )
    .action(async (client: Client | undefined, flags: ConnectFlags) =>
      (await import("../connect/connect.ts")).connect(client, flags, terminal),
    );
  withGateway(program.command("run"))
    .description("start a client through the gateway, without changing its settings")
    .addArgument(clientArgument("<client>", "client to start", STARTED))
    .argument("[args...]", "arguments for the client")
    .passThroughOptions()
    .addHelpText(
      "after",
      examples(
        [
          "run claude-code",
          'run --key lh_… claude-code -p "What is in this folder?"',
          'run codex exec "Run the tests."',
        ],
        RUN_NOTE,
      ),
    )
    .action(async (client: Client, args: string[], flags: ClientFlags) =>
      (await import("../run/run-client.ts")).runClient(client, { args, flags }, terminal),
    );
  withConfig(program.command("statusline"))
    .description("print one line about a session, for Claude Code's status line")
    .addHelpText("after", examples(["statusline < /dev/null"], STATUSLINE_NOTE))
    .action(async (flags: ConfigFlags) => (await import("../gateway/statusline.ts")).statusline(flags, terminal));
}

function addSetup(program: Command, terminal: Terminal): void {
  program
    .command("setup")
    .description("find the clients on this machine, connect them, start the gateway and send a test request")
    .addOption(new Option("--dry-run", "show the plan without writing anything").conflicts(["undo", "yes"]))
    .option("--undo", "restore the settings of all connected clients, and remove the autostart")
    .option("--autostart", "start the gateway at login (systemd user unit on Linux, launchd agent on macOS)")
    .option("--yes", "do not ask")
    .option("--model <id>", "model, for clients that need one in their settings", DEFAULT_MODEL)
    .addHelpText("after", examples(["setup", "setup --dry-run", "setup --yes --autostart", "setup --undo"], SETUP_NOTE))
    .action(async (flags: SetupFlags) => (await import("../setup/setup.ts")).setup(flags, terminal));
}

const SETUP_NOTE =
  "Shows every change before it asks. Logins and API keys are only looked for: they are never printed, copied or stored.";

const STARTED = CLIENTS.filter(({ program }) => program !== undefined);

/** Parses every client, not only the offered ones: the command itself explains why it cannot start the others. */
function clientArgument(name: string, about: string, offered: readonly Client[]): Argument {
  return new Argument(name, about).choices(offered.map(({ id }) => id)).argParser((id) => argumentClient(id, offered));
}

function withGateway(command: Command): Command {
  return command
    .option("--url <address>", "URL of the gateway (default: from the configuration)")
    .option("--key <key>", "API key that the client sends (default: $LONGHAUL_KEY)")
    .option("--model <id>", "model, for clients that need one in their settings", DEFAULT_MODEL);
}

const RUN_NOTE =
  "Uses the running gateway, or starts one that stops when the client exits. Flags before the client's name are Longhaul's; everything after it goes to the client. Exits with the client's exit code.";

const STATUSLINE_NOTE = `Reads Claude Code's status JSON from standard input. Add this to ~/.claude/settings.json:\n  "statusLine": { "type": "command", "command": "longhaul statusline" }`;

export function argumentClient(id: string, offered: readonly Client[] = CLIENTS): Client {
  const client = CLIENTS.find((each) => each.id === id.toLowerCase());
  if (client !== undefined) return client;
  throw new InvalidArgumentError(`Choose from ${offered.map((each) => each.id).join(", ")}.`);
}

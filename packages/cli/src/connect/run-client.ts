import { spawn } from "node:child_process";
import { constants } from "node:os";
import { isAnswering, requireAnswering } from "../gateway/address.ts";
import { withRunKey } from "../gateway/run-key.ts";
import { ExitWith } from "../terminal/exit-code.ts";
import { invalid } from "../terminal/invalid.ts";
import type { Terminal } from "../terminal/terminal.ts";
import { planKey } from "./client-key.ts";
import type { Client } from "./clients.ts";
import { connectedClients } from "./connected.ts";
import { type ClientFlags, fillText, fillVariables, placeholdersOf } from "./fill.ts";
import { withHeader } from "./header-lines.ts";

/** Starts a client through the gateway without writing any settings, and exits with its exit code. */
export async function runClient(
  client: Client,
  { args, flags }: { readonly args: readonly string[]; readonly flags: ClientFlags },
  terminal: Terminal,
): Promise<void> {
  const { id, name, program } = client;
  if (program === undefined) throw invalid(`${name} must be configured manually; see \`longhaul connect ${id}\``);
  const { placeholders, created } = await planKey(client, placeholdersOf(flags, terminal), terminal);
  const gateway = await gatewayFor(client, { url: placeholders.url, flags }, terminal);
  const filled = { ...placeholders, url: gateway.url };
  const variables = fillVariables({ ...client.environment, ...client.runEnvironment }, filled);
  const own = (client.args ?? []).flatMap((text) => fillText(text, filled) ?? []);
  const given = args[0] === "--" ? args.slice(1) : args;
  const environment = { ...terminal.environment, ...withUserHeaders(variables, terminal) };
  const started = { program, args: [...own, ...given], environment };
  const start = () => runProgram(started, name, terminal.folder);
  const exitCode = await outlastingSignals(terminal, () =>
    created === undefined ? start() : withRunKey(client.id, created, { terminal, act: start }),
  ).finally(gateway.close);
  if (exitCode !== 0) throw new ExitWith(exitCode);
}

/** Keeps this process running while the client does: the client gets Ctrl-C and the end of the terminal, too, and decides what they mean. */
async function outlastingSignals<Result>(terminal: Terminal, act: () => Promise<Result>): Promise<Result> {
  void terminal.stopped();
  const stopIgnoring = terminal.onReload(() => {});
  try {
    return await act();
  } finally {
    stopIgnoring();
  }
}

/** Adds the user's own headers for Claude Code, one per line. */
function withUserHeaders(variables: Readonly<Record<string, string>>, { environment }: Terminal) {
  const { [HEADERS]: own } = environment;
  const { [HEADERS]: ours } = variables;
  return own && ours ? { ...variables, [HEADERS]: withHeader(own, ours) } : variables;
}

const HEADERS = "ANTHROPIC_CUSTOM_HEADERS";

interface Address {
  readonly url: string;
  readonly flags: ClientFlags;
}

/**
 * Returns the running gateway, or one that runs as long as the client. The settings of a connected client override its variables, so its
 * gateway has to be at the address in them.
 */
async function gatewayFor({ id }: Client, { url, flags }: Address, terminal: Terminal) {
  if (flags.url !== undefined) return { url: await requireAnswering(url, "--url"), close: async () => {} };
  const connected = connectedClients(terminal).find(({ client }) => client.id === id);
  const expected = connected?.url ?? url;
  if (await isAnswering(expected)) return { url: expected, close: async () => {} };
  const port = connected === undefined ? 0 : Number(new URL(connected.url).port);
  const gateway = await (await import("../start/start.ts")).openOwnGateway(port, terminal);
  const place = gateway.url === expected ? "" : `, at ${gateway.url}`;
  terminal.writeError(`No gateway is running at ${expected}: this one runs until the client exits${place}.\n`);
  return gateway;
}

interface Started {
  readonly program: string;
  readonly args: readonly string[];
  readonly environment: Terminal["environment"];
}

function runProgram({ program, args, environment }: Started, name: string, folder: string): Promise<number> {
  return new Promise((resolve, reject) => {
    // On Windows, programs installed by npm are scripts, which only a shell can start.
    const shell = process.platform === "win32";
    const child = spawn(program, args, { stdio: "inherit", env: environment, cwd: folder, shell });
    child.once("error", (cause) => {
      const why = `cannot start ${program}; install ${name} and make sure that it is on the PATH`;
      reject(invalid(why, cause));
    });
    child.once("exit", (code, signal) => resolve(code ?? SIGNAL_BASE + constants.signals[signal ?? "SIGINT"]));
  });
}

/** Shells add this to the number of the signal that ended a program. */
const SIGNAL_BASE = 128;

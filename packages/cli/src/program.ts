import { LonghaulError } from "@longhaul/conversation";
import { openGateway } from "@longhaul/gateway";
import { Command, CommanderError, InvalidArgumentError } from "commander";
import type { Terminal } from "./terminal.ts";

const DEFAULT_PORT = 4141;
const MAX_PORT = 65_535;

/** Runs one command line and resolves to the exit code: 0 done, 1 failed, 2 called wrongly. */
export async function run(args: readonly string[], terminal: Terminal): Promise<number> {
  try {
    await makeProgram(terminal).parseAsync(args, { from: "user" });
    return 0;
  } catch (error) {
    if (error instanceof CommanderError) return error.exitCode === 0 ? 0 : 2;
    if (!(error instanceof LonghaulError)) throw error;
    terminal.writeError(`longhaul: ${error.message} (${error.code})\n`);
    return 1;
  }
}

function makeProgram(terminal: Terminal): Command {
  const program = new Command("longhaul")
    .description("Keeps LLM sessions alive past the model's context window.")
    .exitOverride()
    .configureOutput({ writeOut: terminal.write, writeErr: terminal.writeError });
  program
    .command("start")
    .description("start the gateway and keep it running until it is stopped")
    .option("--host <host>", "address to listen on", "127.0.0.1")
    .option(
      "--port <port>",
      `port to listen on, 0 for any free one (default: PORT, else ${DEFAULT_PORT})`,
      argumentPort,
    )
    .action((options: StartOptions) => start(options, terminal));
  return program;
}

interface StartOptions {
  readonly host: string;
  readonly port?: number;
}

async function start({ host, port }: StartOptions, terminal: Terminal): Promise<void> {
  const gateway = await openGateway({ host, port: port ?? environmentPort(terminal.environment.PORT) });
  terminal.write(`Longhaul listens on ${gateway.url} (health: ${gateway.url}/healthz). Ctrl-C stops it.\n`);
  await terminal.stopped();
  await gateway.close();
}

function argumentPort(text: string): number {
  const port = parsePort(text);
  if (port === undefined) throw new InvalidArgumentError(portAdvice(text));
  return port;
}

function environmentPort(text: string | undefined): number {
  if (text === undefined || text === "") return DEFAULT_PORT;
  const port = parsePort(text);
  if (port === undefined) throw new LonghaulError("settings.invalid", `PORT: ${portAdvice(text)}`);
  return port;
}

function parsePort(text: string): number | undefined {
  return /^\d{1,5}$/.test(text) && Number(text) <= MAX_PORT ? Number(text) : undefined;
}

function portAdvice(text: string): string {
  return `"${text}" is not a port; give a whole number from 0 to ${MAX_PORT}`;
}

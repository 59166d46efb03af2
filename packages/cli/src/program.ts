import { LonghaulError } from "@longhaul/conversation";
import { loadConfig, openGateway } from "@longhaul/gateway";
import { Command, CommanderError, InvalidArgumentError } from "commander";
import type { Terminal } from "./terminal.ts";

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
    .action((options: StartOptions) => start(options, terminal));
  return program;
}

interface StartOptions {
  readonly config?: string;
  readonly host?: string;
  readonly port?: number;
}

async function start(options: StartOptions, terminal: Terminal): Promise<void> {
  const { environment } = terminal;
  const named = options.config === undefined ? {} : { file: options.config };
  const { config, file } = loadConfig({ ...named, environment, folder: terminal.folder });
  const host = options.host ?? config.server.host;
  const port = options.port ?? environmentPort(environment.PORT) ?? config.server.port;
  const gateway = await openGateway({ ...config, server: { ...config.server, host, port } }, { environment });
  const from = file === undefined ? "the environment" : file;
  terminal.write(
    `Longhaul listens on ${gateway.url} (health: ${gateway.url}/healthz), configured by ${from}. Ctrl-C stops it.\n`,
  );
  await terminal.stopped();
  await gateway.close();
}

function argumentPort(text: string): number {
  const port = parsePort(text);
  if (port === undefined) throw new InvalidArgumentError(portAdvice(text));
  return port;
}

function environmentPort(text: string | undefined): number | undefined {
  if (text === undefined || text === "") return undefined;
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

import { LonghaulError } from "@longhaul/conversation";
import { openGateway } from "@longhaul/gateway";
import { Command, CommanderError, InvalidArgumentError } from "commander";

const DEFAULT_PORT = 4141;
const MAX_PORT = 65_535;

/** What the environment may set. */
export type Environment = Readonly<Record<string, string | undefined>>;

/** Runs one command line and resolves to the exit code: 0 done, 1 failed, 2 called wrongly. */
export async function run(args: readonly string[], environment: Environment): Promise<number> {
  try {
    await makeProgram(environment).parseAsync(args, { from: "user" });
    return 0;
  } catch (error) {
    if (error instanceof CommanderError) return error.exitCode === 0 ? 0 : 2;
    if (!(error instanceof LonghaulError)) throw error;
    console.error(`longhaul: ${error.message} (${error.code})`);
    return 1;
  }
}

function makeProgram(environment: Environment): Command {
  const program = new Command("longhaul")
    .description("Keeps LLM sessions alive past the model's context window.")
    .exitOverride();
  program
    .command("start")
    .description("start the gateway and keep it running until it is stopped")
    .option("--host <host>", "address to listen on", "127.0.0.1")
    .option(
      "--port <port>",
      "port to listen on; 0 takes any free one",
      parsePort,
      parsePort(environment.PORT ?? `${DEFAULT_PORT}`),
    )
    .action(start);
  return program;
}

async function start({ host, port }: { host: string; port: number }): Promise<void> {
  const gateway = await openGateway({ host, port });
  console.log(`Longhaul listens on ${gateway.url} (health: ${gateway.url}/healthz). Ctrl-C stops it.`);
  await stopSignal();
  await gateway.close();
}

function stopSignal(): Promise<void> {
  return new Promise((resolve) => {
    for (const signal of ["SIGINT", "SIGTERM"]) process.once(signal, () => resolve());
  });
}

function parsePort(text: string): number {
  const port = Number(text);
  if (text.trim() === "" || !Number.isInteger(port) || port < 0 || port > MAX_PORT) {
    throw new InvalidArgumentError(`"${text}" is not a port; give a whole number from 0 to ${MAX_PORT}.`);
  }
  return port;
}

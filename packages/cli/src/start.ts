import { describeConfig, loadConfig, openGateway } from "@longhaul/gateway";
import type { Config } from "@longhaul/settings";
import { openSimulator } from "@longhaul/simulator";
import { environmentPort } from "./port.ts";
import type { Terminal } from "./terminal.ts";

/** The flags of `longhaul start`. */
export interface StartOptions {
  readonly config?: string;
  readonly host?: string;
  readonly port?: number;
}

/** Runs the gateway until it is stopped. */
export async function start(options: StartOptions, terminal: Terminal): Promise<void> {
  const { environment, folder } = terminal;
  const named = options.config === undefined ? {} : { file: options.config };
  const loaded = loadConfig({ ...named, environment, folder });
  const { config } = loaded;
  const host = options.host ?? config.server.host;
  const port = options.port ?? environmentPort(environment.PORT) ?? config.server.port;
  const simulator = needsSimulator(config) ? await openSimulator() : undefined;
  try {
    const url = simulator === undefined ? {} : { simulatorUrl: simulator.url };
    const outside = { environment, writeLog: terminal.write, ...url };
    const gateway = await openGateway({ ...config, server: { ...config.server, host, port } }, outside);
    const note = simulator === undefined ? "" : SIMULATED;
    terminal.write(`${greeting(gateway.url)}\n${describeConfig(loaded)}\n${note}`);
    await terminal.stopped();
    await gateway.close();
  } finally {
    await simulator?.close();
  }
}

/** The simulator is one of this process's own where the configuration does not say where another one is. */
function needsSimulator({ upstreams }: Config): boolean {
  return Object.values(upstreams).some(({ kind, baseUrl }) => kind === "simulator" && baseUrl === undefined);
}

function greeting(url: string): string {
  return `Longhaul listens on ${url} (health: ${url}/healthz). Ctrl-C stops it.`;
}

const SIMULATED =
  "No model is configured: answers come from the built-in simulator. Set ANTHROPIC_API_KEY, OPENAI_API_KEY or another vendor's key to change that.\n";

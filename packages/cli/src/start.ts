import { type Gateway, loadConfig, openGateway } from "@longhaul/gateway";
import type { Config } from "@longhaul/settings";
import { openSimulator, type Simulator } from "@longhaul/simulator";
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
  const { config, file } = loadConfig({ ...named, environment, folder });
  const host = options.host ?? config.server.host;
  const port = options.port ?? environmentPort(environment.PORT) ?? config.server.port;
  const simulator = needsSimulator(config) ? await openSimulator() : undefined;
  try {
    const url = simulator === undefined ? {} : { simulatorUrl: simulator.url };
    const gateway = await openGateway({ ...config, server: { ...config.server, host, port } }, { environment, ...url });
    terminal.write(banner(gateway, { file, simulator }));
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

function banner(
  { url }: Gateway,
  { file, simulator }: { file: string | undefined; simulator: Simulator | undefined },
): string {
  const lines = [
    `Longhaul listens on ${url} (health: ${url}/healthz). Ctrl-C stops it.`,
    `Configured by ${file ?? "the environment"}.`,
    ...(simulator === undefined
      ? []
      : [
          "No model is configured: answers come from the built-in simulator. Set ANTHROPIC_API_KEY, OPENAI_API_KEY or another vendor's key to change that.",
        ]),
  ];
  return `${lines.join("\n")}\n`;
}

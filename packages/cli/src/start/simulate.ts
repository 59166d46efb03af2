import { openSimulator, type Simulator } from "@longhaul/simulator";
import { invalid } from "../terminal/invalid.ts";
import type { Terminal } from "../terminal/terminal.ts";
import { reasonOf } from "../terminal/user-file.ts";

export interface SimulateFlags {
  readonly port?: number;
}

export async function simulate({ port = 0 }: SimulateFlags, terminal: Terminal): Promise<void> {
  const simulator = await simulatorAt(port);
  terminal.write(
    `The simulator is listening on ${simulator.url} (any API key works, nothing leaves this machine). Press Ctrl-C to stop.\n`,
  );
  await terminal.stopped();
  await simulator.close();
}

async function simulatorAt(port: number): Promise<Simulator> {
  try {
    return await openSimulator({ port });
  } catch (cause) {
    const why = `cannot listen on port ${port}: ${reasonOf(cause)}; choose another one with --port`;
    throw invalid(why, cause);
  }
}

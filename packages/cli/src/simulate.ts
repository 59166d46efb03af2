import { openSimulator } from "@longhaul/simulator";
import type { Terminal } from "./terminal.ts";

/** The flags of `longhaul simulate`. */
export interface SimulateFlags {
  readonly port?: number;
}

/** Runs the simulator alone until it is stopped. */
export async function simulate({ port = 0 }: SimulateFlags, terminal: Terminal): Promise<void> {
  const simulator = await openSimulator({ port });
  terminal.write(
    `The simulator listens on ${simulator.url}. Any key is taken; nothing leaves this machine. Ctrl-C stops it.\n`,
  );
  await terminal.stopped();
  await simulator.close();
}

import { LonghaulError } from "@longhaul/conversation";
import { openSimulator, type Simulator } from "@longhaul/simulator";
import type { Terminal } from "../terminal/terminal.ts";
import { reasonOf } from "../terminal/user-file.ts";

/** The flags of `longhaul simulate`. */
export interface SimulateFlags {
  readonly port?: number;
}

/** Runs the simulator alone until it is stopped. */
export async function simulate({ port = 0 }: SimulateFlags, terminal: Terminal): Promise<void> {
  const simulator = await simulatorAt(port);
  terminal.write(
    `The simulator listens on ${simulator.url}. Any key is taken; nothing leaves this machine. Ctrl-C stops it.\n`,
  );
  await terminal.stopped();
  await simulator.close();
}

async function simulatorAt(port: number): Promise<Simulator> {
  try {
    return await openSimulator({ port });
  } catch (cause) {
    const why = `cannot listen on port ${port}: ${reasonOf(cause)}; give another with --port`;
    throw new LonghaulError("settings.invalid", why, { cause });
  }
}

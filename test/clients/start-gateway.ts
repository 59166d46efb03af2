import { spawn } from "node:child_process";
import { fileURLToPath } from "node:url";
import { announcedBy } from "../announced.ts";

/** Longhaul's own program. */
export const LONGHAUL = fileURLToPath(new URL("../../packages/cli/src/main.ts", import.meta.url));

/** A gateway in a process of its own. */
export interface StartedGateway {
  readonly url: string;
  stop(): Promise<void>;
}

/** Starts `longhaul start` as a user would, with this file and its data in this home folder. */
export async function startGateway(file: string, home: string): Promise<StartedGateway> {
  const environment = { HOME: home, PATH: process.env.PATH };
  const child = spawn(process.execPath, [LONGHAUL, "start", "--config", file, "--port", "0"], { env: environment });
  const ended = new Promise<void>((resolve) => child.once("exit", () => resolve()));
  return {
    url: await announcedBy(child),
    stop: async () => {
      child.kill("SIGTERM");
      await ended;
    },
  };
}

import { type ChildProcess, spawn } from "node:child_process";
import { fileURLToPath } from "node:url";

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
  const url = await announced(child);
  return {
    url,
    stop: async () => {
      child.kill("SIGTERM");
      await ended;
    },
  };
}

function announced(child: ChildProcess): Promise<string> {
  return new Promise((resolve, reject) => {
    let said = "";
    const hear = (chunk: Buffer) => {
      said += chunk;
      const [, url] = /listens on (http:\S+)/.exec(said) ?? [];
      if (url !== undefined) resolve(url);
    };
    child.stdout?.on("data", hear);
    child.stderr?.on("data", hear);
    child.once("exit", () => reject(new Error(said)));
  });
}

import { spawn, spawnSync } from "node:child_process";
import { mkdtempSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { type Client, nameOf } from "./client.ts";
import type { Observation } from "./observation.ts";

/** A network and processes of its own; whatever still runs in it at the end ends with it. */
const ALONE = ["--map-root-user", "--net", "--pid", "--fork", "--kill-child", "--mount-proc"];

/** Why clients cannot be run without the rest of the network; nothing where they can. */
export function whyNotAlone(): string | undefined {
  const { status, stderr, error } = spawnSync("unshare", [...ALONE, "ip", "link", "set", "lo", "up"], {
    encoding: "utf8",
  });
  if (status === 0) return undefined;
  return `a network of their own is not to be had here (unshare): ${error?.message ?? stderr.trim()}`;
}

const STAGE = fileURLToPath(new URL("stage.ts", import.meta.url));

/** Gives a client a task in a network that has only the gateway, and returns the observation. */
export async function observeAlone(client: Client, task: string): Promise<Observation> {
  const folder = mkdtempSync(join(tmpdir(), "longhaul-seen-"));
  const file = join(folder, "seen.json");
  try {
    await new Promise<void>((resolve, reject) => {
      const args = [...ALONE, process.execPath, STAGE, nameOf(client), task, file];
      const child = spawn("unshare", args, { stdio: "inherit" });
      child.once("error", reject);
      child.once("exit", (code) =>
        code === 0 ? resolve() : reject(new Error(`the stage of ${client.id} ended with ${code}`)),
      );
    });
    return JSON.parse(readFileSync(file, "utf8"));
  } finally {
    rmSync(folder, { recursive: true });
  }
}

import { spawn, spawnSync } from "node:child_process";
import { mkdtempSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { type Client, nameOf } from "./client.ts";
import type { Observation } from "./observation.ts";

/** A separate network and process namespace; all its processes end with it. */
const ISOLATED = ["--map-root-user", "--net", "--pid", "--fork", "--kill-child", "--mount-proc"];

/** Returns why clients cannot be isolated from the network; `undefined` if they can. */
export function whyNotIsolated(): string | undefined {
  const { status, stderr, error } = spawnSync("unshare", [...ISOLATED, "ip", "link", "set", "lo", "up"], {
    encoding: "utf8",
  });
  if (status === 0) return undefined;
  return `no separate network namespace is available (unshare): ${error?.message ?? stderr.trim()}`;
}

const STAGE = fileURLToPath(new URL("stage.ts", import.meta.url));

/** Gives a client a task in a network that has only the gateway, and returns the observation. */
export async function observeIsolated(client: Client, task: string): Promise<Observation> {
  const folder = mkdtempSync(join(tmpdir(), "longhaul-seen-"));
  const file = join(folder, "seen.json");
  try {
    await new Promise<void>((resolve, reject) => {
      const args = [...ISOLATED, process.execPath, STAGE, nameOf(client), task, file];
      const child = spawn("unshare", args, { stdio: "inherit" });
      child.once("error", reject);
      child.once("exit", (code) =>
        code === 0 ? resolve() : reject(new Error(`the stage of ${client.id} exited with ${code}`)),
      );
    });
    return JSON.parse(readFileSync(file, "utf8"));
  } finally {
    rmSync(folder, { recursive: true });
  }
}

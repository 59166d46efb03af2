import { spawnSync } from "node:child_process";
import { hostname } from "node:os";
import { requiresKeys } from "@longhaul/gateway";
import type { Config } from "@longhaul/settings";
import { type Store, type StoredKey, storeLocation } from "@longhaul/store";
import { type ConfigFlags, layeredSettings, readStore, withStore } from "../config/config-source.ts";
import type { Terminal } from "../terminal/terminal.ts";

interface RunKeyUse<Result> {
  readonly terminal: Terminal;
  readonly act: () => Promise<Result>;
}

/** Stores the key of a client while it runs. The key's name says which process deletes it, so that others can if that process was killed. */
export async function withRunKey<Result>(
  client: string,
  created: StoredKey,
  { terminal, act }: RunKeyUse<Result>,
): Promise<Result> {
  const key = { ...created, name: `${client} (longhaul run, process ${process.pid} on ${hostname()})` };
  await sweepRunKeys(terminal);
  const { config } = await layeredSettings({}, terminal);
  await withKeys(config, ({ keys }) => keys.create(key));
  try {
    return await act();
  } finally {
    await withKeys(config, (access) => removeRunKeys([key], access));
  }
}

/** Removes the keys of clients whose `longhaul run` was killed on this machine. */
export async function sweepRunKeys(terminal: Terminal, flags: ConfigFlags = {}): Promise<void> {
  const { config } = await layeredSettings(flags, terminal);
  const stored = await readStore(storeLocation(config), async ({ keys }) => (await keys.list()).filter(isAbandoned));
  const abandoned = "read" in stored ? stored.read : [];
  if (abandoned.length === 0) return;
  await withKeys(config, (access) => removeRunKeys(abandoned, access));
}

const RUN_KEY = /\(longhaul run, process (\d+) on (.+)\)$/;

function isAbandoned({ name, revokedAtMs, createdAtMs }: StoredKey): boolean {
  const [, processId, machine] = RUN_KEY.exec(name) ?? [];
  return machine === hostname() && revokedAtMs === undefined && !isRunningSince(Number(processId), createdAtMs);
}

/** Returns whether a process that existed at a time is still running, and not another one that got its number later. */
function isRunningSince(processId: number, atMs: number): boolean {
  if (!isRunning(processId)) return false;
  const startedAtMs = startOf(processId);
  return startedAtMs === undefined || startedAtMs <= atMs + START_TOLERANCE_MS;
}

/** `ps` shows whole seconds. */
const START_TOLERANCE_MS = 2_000;

/** Returns when a process started; `undefined` if the system does not say. */
function startOf(processId: number): number | undefined {
  const { stdout } = spawnSync("ps", ["-o", "etime=", "-p", String(processId)], { encoding: "utf8" });
  const [, days = 0, hours = 0, minutes, seconds] = ELAPSED.exec(stdout ?? "") ?? [];
  if (minutes === undefined) return undefined;
  return Date.now() - 1_000 * (((Number(days) * 24 + Number(hours)) * 60 + Number(minutes)) * 60 + Number(seconds));
}

/** Days, hours, minutes and seconds, as in `2-03:04:05` or `04:05`. */
const ELAPSED = /^\s*(?:(?:(\d+)-)?(\d+):)?(\d+):(\d+)\s*$/;

function isRunning(processId: number): boolean {
  try {
    // Signal 0 only checks that the process exists.
    return process.kill(processId, 0);
  } catch (error) {
    // Processes of other users exist, too.
    return error instanceof Error && "code" in error && error.code === "EPERM";
  }
}

/** The stored keys, and whether a gateway without any requires none. */
interface KeyAccess {
  readonly keys: Store["keys"];
  readonly opensWithout: boolean;
}

async function withKeys(config: Config, act: (access: KeyAccess) => Promise<void>): Promise<void> {
  const opensWithout = !(await requiresKeys(config.server, { hasKeys: async () => false }));
  await withStore(storeLocation(config), ({ keys }) => act({ keys, opensWithout }));
}

/** Deletes keys. Only revokes them if no other is left and the gateway would then require none: only the user opens a gateway. */
async function removeRunKeys(removed: readonly StoredKey[], { keys, opensWithout }: KeyAccess): Promise<void> {
  const others = (await keys.list()).filter(({ id }) => !removed.some((key) => key.id === id));
  for (const { id } of removed) {
    if (others.length === 0 && opensWithout) await keys.revoke(id, Date.now());
    else await keys.delete(id);
  }
}

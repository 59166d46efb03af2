import { existsSync } from "node:fs";
import { dirname } from "node:path";
import { LonghaulError, table } from "@longhaul/conversation/advanced";
import { describeStore, isInMemory, type StoredKey, type StoreLocation } from "@longhaul/store";
import { withStore } from "../config/config-source.ts";
import { mayWrite, nearestFolder } from "../terminal/user-file.ts";
import { SET_CLOCK } from "./check-machine.ts";
import { bad, type Finding, good, note } from "./finding.ts";

export interface StoreCheck {
  readonly findings: readonly Finding[];
  readonly keys: readonly StoredKey[];
}

export async function checkStore(location: StoreLocation): Promise<StoreCheck> {
  if (isInMemory(location)) return { findings: [note(STORE, describeStore(location))], keys: [] };
  if ("path" in location && !existsSync(location.path)) return { findings: [checkFolder(location.path)], keys: [] };
  try {
    return await read(location);
  } catch (error) {
    if (!(error instanceof LonghaulError)) throw error;
    const remedy = REMEDIES[error.code] ?? REACH[Number("url" in location)] ?? "";
    return { findings: [bad(STORE, error.message, remedy)], keys: [] };
  }
}

const STORE = "store";

const REMEDIES: Readonly<Record<string, string>> = table({
  "store.damaged":
    "move the file aside together with its -wal and -shm files, then restore a backup or start with a new file",
  "store.newer": "run a newer Longhaul, or choose another file with --store",
});

const REACH = [
  "check the file's owner and permissions, and that the disk is not full",
  "check host, port, user, password and database in store.url, and that PostgreSQL is running",
];

function read(location: StoreLocation) {
  return withStore(location, async ({ keys, events }) => {
    const [latest] = await events.requests({ limit: 1 });
    return {
      findings: [checkFile(location), ...clockFault(latest?.atMs)],
      keys: await keys.list(),
    };
  });
}

function checkFile(location: StoreLocation): Finding {
  if ("url" in location || mayWrite(location.path)) return good(STORE, `${describeStore(location)} can be read`);
  return bad(STORE, `cannot write ${location.path}`, "check its owner and permissions");
}

function checkFolder(path: string): Finding {
  const folder = nearestFolder(dirname(path));
  if (mayWrite(folder)) return good(STORE, `${path} will be created at the first start`);
  const remedy = `check the permissions of ${folder}, or choose another file with --store`;
  return bad(STORE, `cannot create ${path}`, remedy);
}

/** Clocks of several gateways differ by less than this. */
const TOLERANCE_MS = 60_000;

function clockFault(latestMs = 0): Finding[] {
  if (latestMs < Date.now() + TOLERANCE_MS) return [];
  return [
    bad("clock", `the latest request in the store is from the future (${new Date(latestMs).toISOString()})`, SET_CLOCK),
  ];
}

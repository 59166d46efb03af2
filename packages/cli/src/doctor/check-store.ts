import { accessSync, constants, existsSync } from "node:fs";
import { dirname } from "node:path";
import { LonghaulError, table } from "@longhaul/conversation";
import { describeStore, isInMemory, type StoreLocation } from "@longhaul/store";
import { withStore } from "../config/config-source.ts";
import { SET_CLOCK } from "./check-machine.ts";
import type { Finding } from "./finding.ts";

/** The findings about the store, and the facts that other checks need from it. */
export interface CheckedStore {
  readonly findings: readonly Finding[];
  readonly hasKeys: boolean;
}

/** Checks whether the store can be opened and written, or created if there is none. */
export async function checkStore(place: StoreLocation): Promise<CheckedStore> {
  const what = "store";
  if (isInMemory(place)) {
    return { findings: [{ what, state: "note", says: describeStore(place) }], hasKeys: false };
  }
  if ("path" in place && !existsSync(place.path)) return { findings: [checkFolder(place.path)], hasKeys: false };
  try {
    return await read(place);
  } catch (error) {
    if (!(error instanceof LonghaulError)) throw error;
    const remedy = REMEDIES[error.code] ?? REACH[Number("url" in place)] ?? "";
    return { findings: [{ what, state: "bad", says: error.message, remedy }], hasKeys: false };
  }
}

const REMEDIES: Readonly<Record<string, string>> = table({
  "store.damaged": "move the file away with its -wal and -shm files, then restore a backup or start with a new file",
  "store.newer": "run a newer Longhaul, or choose another file with --store",
});

/** Remedies for an unreachable store: a file, and PostgreSQL. */
const REACH = [
  "check the file's owner and permissions, and that the disk is not full",
  "check host, port, user, password and database in store.url, and that PostgreSQL is running",
];

function read(place: StoreLocation): Promise<CheckedStore> {
  return withStore(place, async ({ keys, events }) => {
    const [latest] = await events.requests({ limit: 1 });
    const says = `${describeStore(place)} can be read`;
    return {
      findings: [writable(place) ?? { what: "store", state: "good", says }, ...clockFault(latest?.atMs)],
      hasKeys: (await keys.list()).some(({ revokedAtMs }) => revokedAtMs === undefined),
    };
  });
}

function writable(place: StoreLocation): Finding | undefined {
  if ("url" in place || mayWrite(place.path)) return undefined;
  return {
    what: "store",
    state: "bad",
    says: `cannot write ${place.path}`,
    remedy: "check its owner and permissions",
  };
}

function checkFolder(path: string): Finding {
  const folder = nearestFolder(dirname(path));
  const what = "store";
  if (mayWrite(folder)) return { what, state: "good", says: `${path} will be created at the first start` };
  return {
    what,
    state: "bad",
    says: `cannot create ${path}`,
    remedy: `check the permissions of ${folder}, or choose another file with --store`,
  };
}

function nearestFolder(folder: string): string {
  return existsSync(folder) || dirname(folder) === folder ? folder : nearestFolder(dirname(folder));
}

function mayWrite(path: string): boolean {
  try {
    accessSync(path, constants.W_OK);
    return true;
  } catch {
    return false;
  }
}

/** Clocks of several gateways differ by less than this. */
const TOLERANCE_MS = 60_000;

function clockFault(latestMs = 0): Finding[] {
  if (latestMs < Date.now() + TOLERANCE_MS) return [];
  const says = `the latest request in the store is from the future (${new Date(latestMs).toISOString()})`;
  return [{ what: "clock", state: "bad", says, remedy: SET_CLOCK }];
}

import { accessSync, constants, existsSync } from "node:fs";
import { dirname } from "node:path";
import { LonghaulError, table } from "@longhaul/conversation";
import { describeStore, isInMemory, type StoreLocation } from "@longhaul/store";
import { withStore } from "../config/config-source.ts";
import type { Finding } from "./finding.ts";

/** What the store says, and what else is to be known from it. */
export interface CheckedStore {
  readonly findings: readonly Finding[];
  readonly hasKeys: boolean;
}

/** Whether the store can be opened and written, or made where there is none yet. */
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
  "store.damaged": "move the file aside with its -wal and -shm files, and restore a copy or start with a new one",
  "store.newer": "start the newer Longhaul, or name another file with --store",
});

/** For a file, and for a PostgreSQL. */
const REACH = [
  "check the file's owner and permissions, and that the disk is not full",
  "check store.url: host, port, user, password and name; and that PostgreSQL runs",
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
    says: `${place.path} cannot be written`,
    remedy: "check its owner and permissions",
  };
}

function checkFolder(path: string): Finding {
  const folder = nearestFolder(dirname(path));
  const what = "store";
  if (mayWrite(folder)) return { what, state: "good", says: `${path} will be made at the start` };
  return {
    what,
    state: "bad",
    says: `${path} cannot be made in ${folder}`,
    remedy: "check its permissions, or name another file with --store",
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

/** Clocks of several gateways differ by less. */
const TOLERANCE_MS = 60_000;

function clockFault(latestMs = 0): Finding[] {
  if (latestMs < Date.now() + TOLERANCE_MS) return [];
  const says = `the latest request in the store is of ${new Date(latestMs).toISOString()}, which is still to come`;
  return [{ what: "clock", state: "bad", says, remedy: "set the clock: signatures, limits and what expires go by it" }];
}

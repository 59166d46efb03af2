import { existsSync } from "node:fs";
import { dirname } from "node:path";
import { LonghaulError, table } from "@longhaul/conversation/advanced";
import { describeStore, isInMemory, type RequestEvent, type StoredKey, type StoreLocation } from "@longhaul/store";
import { withStore } from "../config/config-source.ts";
import { mayWrite, nearestFolder } from "../terminal/user-file.ts";
import { SET_CLOCK } from "./check-machine.ts";
import { bad, type Finding, good, note } from "./finding.ts";

export interface StoreCheck {
  readonly findings: readonly Finding[];
  /** Faults of upstreams that the latest requests show. */
  readonly rejections: readonly Finding[];
  readonly keys: readonly StoredKey[];
}

export async function checkStore(location: StoreLocation): Promise<StoreCheck> {
  if (isInMemory(location)) return { ...NOTHING, findings: [note(STORE, describeStore(location))] };
  if ("path" in location && !existsSync(location.path)) return { ...NOTHING, findings: [checkFolder(location.path)] };
  try {
    return await read(location);
  } catch (error) {
    if (!(error instanceof LonghaulError)) throw error;
    const remedy = REMEDIES[error.code] ?? REACH[Number("url" in location)] ?? "";
    return { ...NOTHING, findings: [bad(STORE, error.message, remedy)] };
  }
}

const STORE = "store";
const NOTHING = { rejections: [], keys: [] };

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
    const latest = await events.requests({ limit: LATEST });
    return {
      findings: [checkFile(location), ...clockFault(latest[0]?.atMs)],
      rejections: rejectionsIn(latest),
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

const LATEST = 200;
const DAY_MS = 24 * 60 * 60 * 1_000;
const LOG_IN = "log in again in the client (for example: claude /login) or check the API key, then send a request";
/** Statuses with which vendors reject a credential or an account: what they rejected, and the remedy. */
const REJECTED: ReadonlyMap<number, readonly [rejected: string, remedy: string]> = new Map([
  [401, ["rejected the login or API key of", LOG_IN]],
  [402, ["asked for payment for", "add credit at the vendor, then send a request"]],
  [403, ["rejected the login or API key of", LOG_IN]],
]);
const ANSWERED = ["generate", "aside"];

/** Finds upstreams that rejected the credential of the latest request of a day in one format: another format is another client. */
function rejectionsIn(latest: readonly RequestEvent[]): Finding[] {
  const asked = latest.filter(({ upstream, action }) => upstream !== "" && ANSWERED.includes(action));
  const newest = new Map(asked.toReversed().map((event) => [`${event.upstream} ${event.wire}`, event]));
  return [...newest.values()].flatMap(({ upstream, status, atMs, errorMessage }) => {
    const found = REJECTED.get(status);
    if (found === undefined || atMs < Date.now() - DAY_MS) return [];
    const [rejected, remedy] = found;
    const at = new Date(atMs).toISOString().slice(0, 19);
    const why = errorMessage === "" ? "" : `: ${errorMessage}`;
    const message = `${rejected} the latest request (status ${status}, ${at} UTC)${why}`;
    return bad(`upstream ${upstream}`, message, remedy);
  });
}

/** Clocks of several gateways differ by less than this. */
const TOLERANCE_MS = 60_000;

function clockFault(latestMs = 0): Finding[] {
  if (latestMs < Date.now() + TOLERANCE_MS) return [];
  return [
    bad("clock", `the latest request in the store is from the future (${new Date(latestMs).toISOString()})`, SET_CLOCK),
  ];
}

import { createServer } from "node:net";
import { lockedOutWarning, requiresKeys } from "@longhaul/gateway";
import { isLoopback } from "@longhaul/settings";
import type { StoredKey } from "@longhaul/store";
import { isLonghaul, reachableAddress } from "../gateway/address.ts";
import { dashboardFolder, installedAtMs } from "../terminal/program-files.ts";
import { bad, type Finding, good, note } from "./finding.ts";

const OLDEST_NODE = [22, 19] as const;
const DAY_MS = 24 * 60 * 60 * 1_000;

export function thisMachine() {
  return {
    nodeVersion: process.versions.node,
    nowMs: Date.now(),
    installedMs: installedAtMs(),
    dashboard: dashboardFolder(),
  };
}

export function checkMachine({
  nodeVersion,
  nowMs,
  installedMs,
  dashboard,
}: ReturnType<typeof thisMachine>): Finding[] {
  const [major = 0, minor = 0] = nodeVersion.split(".").map(Number);
  const isOld = major < OLDEST_NODE[0] || (major === OLDEST_NODE[0] && minor < OLDEST_NODE[1]);
  const now = new Date(nowMs).toISOString();
  return [
    isOld
      ? bad("Node", `version ${nodeVersion} is too old`, `install ${OLDEST_NODE.join(".")} or newer`)
      : good("Node", `version ${nodeVersion}`),
    nowMs < installedMs - DAY_MS
      ? bad("clock", `${now} is before Longhaul was installed`, SET_CLOCK)
      : good("clock", now),
    dashboard === undefined
      ? note("dashboard", "not built", "run `npm start` in the repository, or reinstall Longhaul")
      : good("dashboard", "installed"),
  ];
}

export const SET_CLOCK = "set the clock: signatures, limits and expiry times depend on it";

export interface Listening {
  readonly host: string;
  readonly port: number;
  readonly keys: "auto" | "required" | "off";
  readonly all: readonly StoredKey[];
}

/** Checks whether a gateway can listen on its port. */
export async function checkPort({ host, port }: Pick<Listening, "host" | "port">): Promise<Finding> {
  const what = `port ${port}`;
  const fault = await listenFault(host, port);
  if (fault === undefined) return good(what, port === 0 ? "any free port" : "free; no gateway is running on it");
  if (fault === "EADDRINUSE") {
    if (await isLonghaul(reachableAddress(host, port))) return good(what, "a gateway is running");
    const remedy = "stop the other program, or choose another port with --port, PORT or server.port";
    return bad(what, `another program is listening on ${host}:${port}`, remedy);
  }
  const remedy =
    fault === "EACCES"
      ? "ports below 1024 need privileges; choose another one"
      : "check server.host: it is not an address of this machine";
  return bad(what, `cannot listen on ${host}:${port} (${fault})`, remedy);
}

function listenFault(host: string, port: number): Promise<string | undefined> {
  return new Promise((resolve) => {
    const server = createServer();
    server.once("error", (error) => resolve("code" in error ? String(error.code) : error.message));
    server.listen(port, host, () => server.close(() => resolve(undefined)));
  });
}

/** Checks who has access, by the gateway's own rule. */
export async function checkAccess({ host, keys, all }: Omit<Listening, "port">): Promise<Finding> {
  const what = "access";
  const ring = { hasKeys: async () => all.length > 0 };
  const isRequired = await requiresKeys({ host, keys }, ring);
  if (!isRequired) {
    if (isLoopback(host)) return good(what, "local only, no API key required");
    const remedy = "set server.keys to auto, unless a proxy in front of the gateway authenticates clients";
    return bad(what, `anyone who can reach ${host}, no API key required`, remedy);
  }
  const lockedOut = await lockedOutWarning({ host, keys }, { ring, keys: { list: async () => all } });
  if (lockedOut === undefined)
    return good(what, `${isLoopback(host) ? "local only" : `anyone who can reach ${host}`}, API key required`);
  return bad(what, lockedOut.why, lockedOut.remedy);
}

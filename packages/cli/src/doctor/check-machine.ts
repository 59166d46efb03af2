import { createServer } from "node:net";
import { isLoopback } from "@longhaul/settings";
import { reachableAddress } from "../gateway/address.ts";
import { dashboardFolder, installedAtMs } from "../terminal/program-files.ts";
import type { Finding } from "./finding.ts";

/** What the checks of the machine look at. */
export interface Machine {
  readonly nodeVersion: string;
  readonly nowMs: number;
  /** When the program's own files were put there. */
  readonly installedMs: number;
  readonly dashboard: string | undefined;
}

const OLDEST_NODE = [22, 19] as const;
const DAY_MS = 24 * 60 * 60 * 1_000;

/** The machine that this program runs on. */
export function thisMachine(): Machine {
  return {
    nodeVersion: process.versions.node,
    nowMs: Date.now(),
    installedMs: installedAtMs(),
    dashboard: dashboardFolder(),
  };
}

/** Whether Node, the clock and the program's own files are as they should be. */
export function checkMachine({ nodeVersion, nowMs, installedMs, dashboard }: Machine): Finding[] {
  const [major = 0, minor = 0] = nodeVersion.split(".").map(Number);
  const isOld = major < OLDEST_NODE[0] || (major === OLDEST_NODE[0] && minor < OLDEST_NODE[1]);
  const oldest = OLDEST_NODE.join(".");
  const isBehind = nowMs < installedMs - DAY_MS;
  return [
    isOld
      ? { what: "Node", state: "bad", says: `it is version ${nodeVersion}`, remedy: `install Node ${oldest} or newer` }
      : { what: "Node", state: "good", says: `version ${nodeVersion}` },
    isBehind
      ? {
          what: "clock",
          state: "bad",
          says: `it says ${new Date(nowMs).toISOString()}, which is before Longhaul was installed`,
          remedy: "set it: signatures, limits and what expires go by it",
        }
      : { what: "clock", state: "good", says: new Date(nowMs).toISOString() },
    dashboard === undefined
      ? {
          what: "dashboard",
          state: "note",
          says: "its pages are not built",
          remedy: "in the repository `npm start` builds them; else install Longhaul anew",
        }
      : { what: "dashboard", state: "good", says: "its pages are there" },
  ];
}

/** What is known of how the gateway listens. */
export interface Listening {
  readonly host: string;
  readonly port: number;
  readonly keys: "auto" | "required" | "off";
  /** Whether there is a key that opens. */
  readonly hasKeys: boolean;
}

/** Whether the gateway can listen where it is to, or does so already, and who gets in. */
export async function checkListening(listening: Listening): Promise<Finding[]> {
  return [await checkPort(listening), checkAccess(listening)];
}

async function checkPort({ host, port }: Listening): Promise<Finding> {
  const what = `port ${port}`;
  const fault = await listenFault(host, port);
  if (fault === undefined) return { what, state: "good", says: port === 0 ? "any free one is taken" : "it is free" };
  if (fault === "EADDRINUSE") {
    if (await isLonghaul(host, port)) return { what, state: "good", says: "a gateway runs there" };
    const remedy = "stop the other program, or choose another port with --port, PORT or server.port";
    return { what, state: "bad", says: `another program listens at ${host}:${port}`, remedy };
  }
  const remedy =
    fault === "EACCES"
      ? "ports under 1024 need privileges; choose another one"
      : "check server.host: it is no address of this machine";
  return { what, state: "bad", says: `${host}:${port} cannot be listened on (${fault})`, remedy };
}

function listenFault(host: string, port: number): Promise<string | undefined> {
  return new Promise((resolve) => {
    const server = createServer();
    server.once("error", (error) => resolve("code" in error ? String(error.code) : error.message));
    server.listen(port, host, () => server.close(() => resolve(undefined)));
  });
}

const PROBE_TIMEOUT_MS = 3_000;

async function isLonghaul(host: string, port: number): Promise<boolean> {
  try {
    const response = await fetch(`${reachableAddress(host, port)}/healthz`, {
      signal: AbortSignal.timeout(PROBE_TIMEOUT_MS),
    });
    return response.headers.has("x-longhaul-request-id") || (await response.text()).includes('"status":"ok"');
  } catch {
    return false;
  }
}

function checkAccess({ host, keys, hasKeys }: Listening): Finding {
  const what = "who gets in";
  const isAlone = isLoopback(host);
  if (isAlone && (keys === "off" || (keys === "auto" && !hasKeys)))
    return { what, state: "good", says: "this machine alone, without a key" };
  if (keys === "off") {
    const remedy = "set server.keys to auto, unless somebody else checks who comes in";
    return { what, state: "bad", says: `whoever reaches ${host}, without a key`, remedy };
  }
  if (!hasKeys) {
    const remedy = "make a key: `longhaul keys create laptop`";
    return { what, state: "bad", says: "nobody: clients need a key, and there is none", remedy };
  }
  return { what, state: "good", says: `${isAlone ? "this machine alone" : `whoever reaches ${host}`}, with a key` };
}

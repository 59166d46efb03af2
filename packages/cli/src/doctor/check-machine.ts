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

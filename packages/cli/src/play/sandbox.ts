import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { openGateway } from "@longhaul/gateway";
import { BUILT_IN_KIND } from "@longhaul/models/kinds";
import { openSimulator, type Simulator, type SimulatorOptions } from "@longhaul/simulator";
import { openStore, type SessionSummary } from "@longhaul/store";
import { dashboardAddress } from "../gateway/address.ts";
import { dashboardFolder } from "../terminal/program-files.ts";

/** What a session is played on. */
export interface SandboxOptions {
  readonly model: string;
  readonly windowTokens: number;
  readonly strategy: string;
  /** What the simulated model answers. */
  readonly script: NonNullable<SimulatorOptions["script"]>;
  /** @default any free one */
  readonly port?: number | undefined;
  /** File that keeps what happened. @default one that is thrown away */
  readonly store?: string | undefined;
}

/** A gateway in front of a simulator, on this machine alone. */
export interface Sandbox {
  readonly url: string;
  /** An address that opens the dashboard, once. */
  readonly dashboard: string;
  readonly simulator: Simulator;
  /** What is kept of a session, once so many of its requests are; nothing where that takes too long. */
  sessionAfter(session: string, requests: number): Promise<SessionSummary | undefined>;
  close(): Promise<void>;
}

/** Opens a simulator, whose model has the window, and a gateway in front of it. Nothing of the user's own configuration is read. */
export async function openSandbox(options: SandboxOptions): Promise<Sandbox> {
  const { model, windowTokens, script } = options;
  const passing = openTemporaryFolder();
  const path = options.store ?? join(passing.folder, "longhaul.db");
  const simulator = await openSimulator({ models: { [model]: { window: windowTokens } }, script });
  const pages = dashboardFolder();
  try {
    const gateway = await openGateway(
      { file: configOf(options, path), environment: {} },
      { simulatorUrl: simulator.url, ...(pages !== undefined && { dashboardFolder: pages }) },
    );
    const kept = await openStore({ path, nowMs: Date.now });
    return {
      url: gateway.url,
      dashboard: dashboardAddress(gateway.adminUrl, await gateway.mintAdminToken()),
      simulator,
      sessionAfter: (session, requests) => sessionAfter(kept, session, requests),
      close: async () => {
        await gateway.close();
        await kept.close();
        await simulator.close();
        passing.remove();
      },
    };
  } catch (error) {
    await simulator.close();
    passing.remove();
    throw error;
  }
}

/** A folder that is gone when the program is, also where that ends before its time: nobody reads its output any more. */
function openTemporaryFolder() {
  const folder = mkdtempSync(join(tmpdir(), "longhaul-"));
  const rm = () => rmSync(folder, { recursive: true, force: true });
  process.once("exit", rm);
  const remove = () => {
    process.off("exit", rm);
    rm();
  };
  return { folder, remove };
}

/** What requests said is kept, so that the dashboard shows them before and after: here nobody said anything private. */
function configOf({ windowTokens, strategy, port = 0 }: SandboxOptions, path: string): object {
  return {
    server: { port, drainSeconds: 5 },
    upstreams: { [BUILT_IN_KIND]: { kind: BUILT_IN_KIND, window: windowTokens } },
    routes: [{ match: "*", upstream: BUILT_IN_KIND }],
    context: { strategy },
    contents: { keep: "all" },
    log: { level: "silent" },
    store: { path },
  };
}

const POLL_MS = 50;
const MAX_POLLS = 100;
/** A session is among the latest. */
const LATEST = 20;

async function sessionAfter(
  { events }: Awaited<ReturnType<typeof openStore>>,
  session: string,
  requests: number,
): Promise<SessionSummary | undefined> {
  for (let poll = 0; poll < MAX_POLLS; poll++) {
    const found = (await events.sessions({ limit: LATEST })).find((each) => each.session === session);
    if (found !== undefined && found.requests >= requests) return found;
    await new Promise((resolve) => setTimeout(resolve, POLL_MS));
  }
  return undefined;
}

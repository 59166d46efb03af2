import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { openGateway } from "@longhaul/gateway";
import { BUILT_IN_KIND } from "@longhaul/models/kinds";
import { openSimulator, type SimulatorOptions } from "@longhaul/simulator";
import { openStore } from "@longhaul/store";
import { dashboardAddress } from "../gateway/address.ts";
import { dashboardFolder } from "../terminal/program-files.ts";

export interface SandboxOptions {
  readonly model: string;
  readonly windowTokens: number;
  readonly strategy: string;
  readonly script: NonNullable<SimulatorOptions["script"]>;
  /** @default any free port */
  readonly port?: number | undefined;
  /** Database file. @default a temporary one */
  readonly store?: string | undefined;
}

export type Sandbox = Awaited<ReturnType<typeof openSandbox>>;

/** Opens a simulator whose model has the given window, and a gateway in front of it. Ignores the user's configuration. */
export async function openSandbox(options: SandboxOptions) {
  const { model, windowTokens, script } = options;
  const temporary = openTemporaryFolder();
  const closers: (() => unknown)[] = [temporary.remove];
  const close = async () => {
    for (const closeOne of closers.toReversed()) await closeOne();
  };
  const path = options.store ?? join(temporary.folder, "longhaul.db");
  const pages = dashboardFolder();
  try {
    const simulator = await openSimulator({ models: { [model]: { window: windowTokens } }, script });
    closers.push(() => simulator.close());
    const gateway = await openGateway(
      { file: configOf(options, path), environment: {} },
      { simulatorUrl: simulator.url, ...(pages !== undefined && { dashboardFolder: pages }) },
    );
    closers.push(() => gateway.close());
    const store = await openStore({ path, nowMs: Date.now });
    closers.push(() => store.close());
    return {
      url: gateway.url,
      /** Returns a one-time link that signs in to the dashboard. */
      dashboard: async () => dashboardAddress(gateway.adminUrl, await gateway.mintAdminToken()),
      simulator,
      /** Resolves to the record of a session once this many of its requests are stored, or to `undefined` if that takes too long. */
      sessionAfter: (session: string, requests: number) => sessionAfter(store, session, requests),
      close,
    };
  } catch (error) {
    await close();
    throw error;
  }
}

/** Creates a folder that is removed even if the program exits early, for example because the reader of its output closed. */
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

/** Keeps the contents of requests, so that the dashboard can show them before and after: they are not private here. */
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
/** The session is among the most recent ones. */
const LATEST = 20;

async function sessionAfter({ events }: Awaited<ReturnType<typeof openStore>>, session: string, requests: number) {
  for (let poll = 0; poll < MAX_POLLS; poll++) {
    const found = (await events.sessions({ limit: LATEST })).find((each) => each.session === session);
    if (found !== undefined && found.requests >= requests) return found;
    await new Promise((resolve) => setTimeout(resolve, POLL_MS));
  }
  return undefined;
}

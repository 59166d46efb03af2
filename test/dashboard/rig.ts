import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { type Gateway, openGateway } from "@longhaul/gateway";
import { openSimulator } from "@longhaul/simulator";
import type { BrowserContext, Page } from "playwright-core";
import { openBrowser } from "./browser.ts";

const PAGES = fileURLToPath(new URL("../../.cache/dashboard", import.meta.url));

/** The admin's own token. */
export const ADMIN_TOKEN = "an-admin-token-for-tests";

/** The timeout of a step. It is long, because a busy machine is slow. */
const STEP_MS = 60_000;

/** A gateway with its dashboard in a browser. */
export interface Rig {
  readonly gateway: Gateway;
  /** The database file. */
  readonly storePath: string;
  readonly page: Page;
  readonly context: BrowserContext;
  /** Errors that the browser logged, violations of the content security policy, and requests to other hosts. */
  readonly complaints: string[];
  /** Opens a page of the dashboard. The route is the address after `#/`. */
  show(route: string): Promise<void>;
  /** Stops the gateway, waits for `whileDown`, and starts it again on the same port and database. */
  restart(whileDown?: () => Promise<unknown>): Promise<void>;
  close(): Promise<void>;
}

/** Opens a gateway on the simulator and signs a browser in with a one-time token. */
export async function openRig(file: object = {}): Promise<Rig> {
  const folder = mkdtempSync(join(tmpdir(), "longhaul-pages-"));
  const simulator = await openSimulator();
  const browser = await openBrowser();
  const storePath = join(folder, "kept.db");
  const open = (port: number) =>
    openGateway({ file: configOf(storePath, port, file) }, { simulatorUrl: simulator.url, dashboardFolder: PAGES });
  let gateway = await open(0);
  const context = await browser.newContext({
    viewport: { width: 1280, height: 860 },
    reducedMotion: "reduce",
    locale: "en-US",
  });
  context.setDefaultTimeout(STEP_MS);
  const page = await context.newPage();
  const complaints = listen(page, gateway.adminUrl);
  await page.goto(`${gateway.adminUrl}/#token=${await gateway.mintAdminToken()}`);
  await page.waitForSelector("nav");
  return {
    get gateway() {
      return gateway;
    },
    storePath,
    page,
    context,
    complaints,
    show: async (route) => {
      await page.goto(`${gateway.adminUrl}/#/${route}`);
    },
    restart: async (whileDown) => {
      const port = Number(new URL(gateway.url).port);
      await gateway.close();
      await whileDown?.();
      gateway = await open(port);
    },
    close: async () => {
      await browser.close();
      await gateway.close();
      await simulator.close();
      rmSync(folder, { recursive: true });
    },
  };
}

function configOf(path: string, port: number, file: object): object {
  return {
    server: { port, adminToken: ADMIN_TOKEN },
    store: { path },
    upstreams: { simulated: { kind: "simulator" } },
    routes: [{ match: "*", upstream: "simulated" }],
    ...file,
  };
}

function listen(page: Page, home: string): string[] {
  const complaints: string[] = [];
  page.on("console", (message) => {
    if (message.type() === "error" || /content security policy/i.test(message.text())) complaints.push(message.text());
  });
  page.on("pageerror", (error) => complaints.push(String(error)));
  page.on("request", (request) => {
    if (!request.url().startsWith(`${home}/`)) complaints.push(`requested ${request.url()}`);
  });
  return complaints;
}

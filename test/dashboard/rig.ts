import { mkdtempSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { type Gateway, openGateway } from "@longhaul/gateway";
import { openSimulator } from "@longhaul/simulator";
import { type Browser, type BrowserContext, chromium, type Page } from "playwright-core";
import { CHROMIUM_FOLDER } from "./set-up.ts";

const PAGES = fileURLToPath(new URL("../../.cache/dashboard", import.meta.url));

/** The admin's own token. */
export const ADMIN_TOKEN = "an-admin-token-for-tests";

/** Ends a step that hangs; a busy machine is slow. */
const STEP_MS = 60_000;

/** A gateway with its dashboard in a browser. */
export interface Rig {
  readonly gateway: Gateway;
  /** Where its store is, for whoever wants to open it besides. */
  readonly storePath: string;
  readonly page: Page;
  readonly context: BrowserContext;
  /** What the browser complained about: errors, refused loads, breaches of the content policy; and what it asked of anybody else. */
  readonly complaints: string[];
  /** Opens a page of the dashboard by its address after `#/`. */
  show(place: string): Promise<void>;
  /** Stops the gateway and starts it again at the same port, on the same store, once `away` is over. */
  restart(away?: () => Promise<unknown>): Promise<void>;
  close(): Promise<void>;
}

/** Opens a gateway on the simulator, and signs a browser in by the address that `longhaul start` prints. */
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
    show: async (place) => {
      await page.goto(`${gateway.adminUrl}/#/${place}`);
    },
    restart: async (away) => {
      const port = Number(new URL(gateway.url).port);
      await gateway.close();
      await away?.();
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
    if (!request.url().startsWith(`${home}/`)) complaints.push(`asked ${request.url()}`);
  });
  return complaints;
}

/** Starts Chromium. It speaks to this machine alone. */
async function openBrowser(): Promise<Browser> {
  const { executablePath, env } = JSON.parse(readFileSync(join(CHROMIUM_FOLDER, "launch.json"), "utf8"));
  // A folder of its own, or several at once would meet.
  const home = mkdtempSync(join(tmpdir(), "longhaul-chromium-"));
  const browser = await chromium.launch({
    executablePath,
    args: ARGUMENTS,
    env: { ...env, HOME: home, TMPDIR: home, PATH: process.env.PATH ?? "" },
  });
  browser.once("disconnected", () => rmSync(home, { recursive: true, force: true }));
  return browser;
}

/** Its package's own are for functions that run by the call: one process that dies with any page, and no security between origins. */
const ARGUMENTS = [
  "--no-sandbox",
  "--disable-gpu",
  "--disable-dev-shm-usage",
  "--font-render-hinting=none",
  "--no-first-run",
  "--disable-background-networking",
  "--disable-component-update",
  "--disable-sync",
  "--disable-quic",
  "--host-resolver-rules=MAP * ~NOTFOUND, EXCLUDE 127.0.0.1, EXCLUDE localhost",
];

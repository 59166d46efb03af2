import { mkdtempSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { type Browser, chromium } from "playwright-core";
import { CHROMIUM_FOLDER } from "./set-up.ts";

/** Starts Chromium, which can connect only to this machine. */
export async function openBrowser(): Promise<Browser> {
  const { executablePath, env } = JSON.parse(readFileSync(join(CHROMIUM_FOLDER, "launch.json"), "utf8"));
  // Each browser needs its own folder: several run at once.
  const home = mkdtempSync(join(tmpdir(), "longhaul-chromium-"));
  const browser = await chromium.launch({
    executablePath,
    args: ARGUMENTS,
    env: { ...env, HOME: home, TMPDIR: home, PATH: process.env.PATH ?? "" },
  });
  browser.once("disconnected", () => rmSync(home, { recursive: true, force: true }));
  return browser;
}

/** The defaults of the Chromium package are for serverless functions: a single process, and no isolation between origins. */
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

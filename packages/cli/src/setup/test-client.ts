import { spawn } from "node:child_process";
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import type { RequestEvent } from "@longhaul/store";
import { configuredStore, readStore } from "../config/config-source.ts";
import { isSimulator } from "../connect/client-route.ts";
import { gatewayConfig } from "../gateway/gateway-config.ts";
import type { Terminal } from "../terminal/terminal.ts";
import type { FoundClient } from "./detect.ts";

const TEST_TIMEOUT_MS = 120_000;

/** Makes every client send one request on its own, and reports how the gateway recorded it. Returns the clients that a model answered. */
export async function testClients(clients: readonly FoundClient[], terminal: Terminal): Promise<FoundClient[]> {
  const answered: FoundClient[] = [];
  for (const found of clients) {
    const { client, isOnPath } = found;
    if (!isOnPath) {
      terminal.write(`${client.name}: not tested, because \`${client.program}\` is not on the PATH.\n`);
      continue;
    }
    terminal.write(`${client.name}: sending a test request…\n`);
    const { isGood, message } = await testClient(found, terminal);
    terminal.write(`${client.name}: ${message}\n`);
    if (isGood) answered.push(found);
  }
  return answered;
}

interface Outcome {
  readonly isGood: boolean;
  readonly message: string;
}

async function testClient({ client }: FoundClient, terminal: Terminal): Promise<Outcome> {
  const startedAtMs = Date.now();
  const { exitCode, output } = await runProbe(client.program ?? "", client.traces.probe, terminal);
  const events = await eventsSince(startedAtMs, terminal);
  const config = await gatewayConfig(terminal);
  const model = events.find(({ status, upstream }) => status < 400 && !isSimulator(config, upstream));
  if (model !== undefined && exitCode === 0) return { isGood: true, message: describeAnswer(model) };
  const failed = events.find(({ status }) => status >= 400);
  if (failed !== undefined)
    return {
      isGood: false,
      message: `the test request failed with status ${failed.status} (${failed.errorCode}). Run \`longhaul doctor\`.`,
    };
  if (events.length > 0)
    return {
      isGood: false,
      message: "the built-in simulator answered, not a model: the client sent no login or API key.",
    };
  const reason = output.trim().split("\n").at(-1) ?? "";
  const why =
    exitCode === 0
      ? "its request did not reach the gateway"
      : `it exited with code ${exitCode}${reason === "" ? "" : `: ${reason}`}`;
  return { isGood: false, message: `the test failed: ${why}. Run \`longhaul doctor\`.` };
}

function describeAnswer({ sentAs, upstream, ms }: RequestEvent): string {
  return `${sentAs} answered through Longhaul (upstream ${upstream}, ${(ms / 1_000).toFixed(1)} s).`;
}

/** Runs the client in an empty folder, so that it finds no project. */
async function runProbe(program: string, args: readonly string[], { environment }: Terminal) {
  const folder = mkdtempSync(join(tmpdir(), "longhaul-test-"));
  try {
    return await new Promise<{ exitCode: number; output: string }>((resolve) => {
      const shell = process.platform === "win32";
      const stdio = ["ignore", "pipe", "pipe"] as const;
      const child = spawn(program, args, {
        cwd: folder,
        env: { ...environment },
        stdio: [...stdio],
        shell,
        timeout: TEST_TIMEOUT_MS,
      });
      let output = "";
      child.stdout?.on("data", (chunk) => (output += chunk));
      child.stderr?.on("data", (chunk) => (output += chunk));
      child.once("error", ({ message }) => resolve({ exitCode: 1, output: message }));
      child.once("close", (code) => resolve({ exitCode: code ?? 1, output }));
    });
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}

const POLL_MS = 100;
const MAX_POLLS = 50;
const LATEST = 50;

/** Waits until the gateway has stored the requests since a time, which takes it a moment. */
async function eventsSince(sinceMs: number, terminal: Terminal): Promise<RequestEvent[]> {
  const location = configuredStore({}, terminal);
  for (let poll = 0; poll < MAX_POLLS; poll++) {
    const result = await readStore(location, ({ events }) => events.requests({ limit: LATEST }));
    const found =
      "read" in result ? result.read.filter(({ atMs, action }) => atMs >= sinceMs && action === "generate") : [];
    if (found.length > 0) return found;
    await new Promise((resolve) => setTimeout(resolve, POLL_MS));
  }
  return [];
}

// `longhaul start` beside another gateway, with closed output, a full disk and unusable paths.
import { spawn } from "node:child_process";
import { mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { hostname, tmpdir } from "node:os";
import { join } from "node:path";
import { DatabaseSync } from "node:sqlite";
import { fileURLToPath } from "node:url";
import { openSimulator } from "@longhaul/simulator";
import { afterAll, afterEach, beforeAll, describe, expect, it } from "vitest";
import { run } from "../program.ts";
import { changedTerminal } from "../terminal/terminal.ts";
import { makeTerminal } from "../testing/terminal.ts";

const root = mkdtempSync(join(tmpdir(), "longhaul-"));
const closers: (() => Promise<unknown>)[] = [];
afterEach(async () => {
  for (const close of closers.splice(0)) await close();
});
afterAll(() => rmSync(root, { recursive: true }));

const MAIN = fileURLToPath(new URL("../main.ts", import.meta.url));
const TOKEN = "token-of-the-admin";

async function startProgram(command: readonly string[], environment: Record<string, string> = {}) {
  const folder = mkdtempSync(join(root, "f"));
  const env = { PATH: process.env.PATH, HOME: folder, PORT: "0", LONGHAUL_ADMIN_TOKEN: TOKEN, ...environment };
  const [program = "", ...args] = command;
  const child = spawn(program, args, { cwd: folder, env, stdio: ["ignore", "pipe", "pipe"] });
  const exited = new Promise((resolve) => child.once("exit", resolve));
  closers.push(async () => {
    child.kill();
    await exited;
  });
  const captured = { output: "", errors: "" };
  child.stdout.on("data", (chunk) => (captured.output += chunk));
  child.stderr.on("data", (chunk) => (captured.errors += chunk));
  await expect.poll(() => captured.output, { timeout: 60_000 }).toContain("built-in simulator");
  return { child, exited, captured, folder, url: /http:\S+/.exec(captured.output)?.[0] ?? "" };
}

it("sends a subscriber's login to Anthropic from an empty home, and never stores it", async () => {
  const vendor = await openSimulator({ keys: [LOGIN] });
  closers.push(() => vendor.close());
  const environment = { ANTHROPIC_BASE_URL: vendor.url };
  const { captured, url, folder } = await startProgram([process.execPath, MAIN, "start"], environment);
  const ask = async (authorization: string) => {
    const messages = [{ role: "user", content: "Hello" }];
    const answer = await fetch(`${url}/v1/messages`, {
      method: "POST",
      body: JSON.stringify({ model: "claude-sonnet-4-5", max_tokens: 200, messages }),
      headers: { authorization, "content-type": "application/json", "anthropic-version": "2023-06-01" },
    });
    return [answer.status, answer.headers.get("x-longhaul-simulated"), vendor.requests().length];
  };
  expect(await ask(`Bearer ${LOGIN}`)).toEqual([200, null, 1]);
  expect(await ask("Bearer any")).toEqual([200, "true", 1]);
  await expect.poll(() => captured.output).toMatch(/"upstream":"anthropic".*"upstream":"simulator"/s);
  await expect
    .poll(async () => {
      const terminal = makeTerminal(folder);
      await run(["usage", "--by", "upstream", "--json"], terminal);
      const { groups, simulatedRequests } = JSON.parse(terminal.output());
      const costs = groups.map(({ name, costUsd }: { name: string; costUsd: number }) => [name, costUsd > 0]);
      return { costs, simulatedRequests };
    })
    .toEqual({
      costs: [
        ["anthropic", true],
        ["simulator", false],
      ],
      simulatedRequests: 1,
    });
  const files = readdirSync(folder, { recursive: true, withFileTypes: true }).filter((file) => file.isFile());
  const stored = files.map(({ parentPath, name }) => readFileSync(join(parentPath, name), "latin1"));
  expect(stored.length).toBeGreaterThan(0);
  for (const text of [captured.output, captured.errors, ...stored]) expect(text).not.toContain(LOGIN);
});

const LOGIN = "sk-ant-oat01-login-of-a-subscriber";

describe("a gateway whose log reader has closed", () => {
  it.each(["stdout", "both"])("keeps answering, and exits with 0 when it is stopped (%s closed)", async (which) => {
    const { child, exited, captured, url } = await startProgram([process.execPath, MAIN, "start"]);
    child.stdout.destroy();
    if (which === "both") child.stderr.destroy();
    for (let count = 0; count < 20; count++) expect((await fetch(`${url}/nowhere`)).status).toBe(404);
    child.kill("SIGTERM");
    expect(await exited).toBe(0);
    const line =
      "longhaul: cannot write to standard output: its reader closed it; the gateway keeps running without its log\n";
    expect(captured.errors).toBe(which === "both" ? "" : line);
  });
});

describe("a gateway whose disk is full", () => {
  it("reports it in its health as soon as a write fails", async () => {
    // The shell's limit on file sizes (64 blocks of 512 or 1024 bytes) acts like a full disk and needs no privileges.
    const limited = ["sh", "-c", 'ulimit -f 64; exec "$0" "$@"', process.execPath, MAIN, "start"];
    const store = join(root, "full.db");
    const first = makeTerminal(root, { PORT: "0" });
    first.stop();
    expect(await run(["start", "--store", store], first)).toBe(0);
    const { url } = await startProgram(limited, { LONGHAUL_STORE: store });
    const headers = { authorization: `Bearer ${TOKEN}`, "content-type": "application/json" };
    const health = async () => (await fetch(`${url}/api/health`, { headers })).json();
    expect(await health()).toMatchObject({ status: "ok", store: { isWorking: true } });
    const write = async (value: number) => {
      const body = JSON.stringify({ entries: [{ path: "context.threshold", value }] });
      return (await fetch(`${url}/api/settings`, { method: "PATCH", headers, body })).ok;
    };
    let writes = 0;
    while (writes < 200 && (await write(50 + (writes % 40)))) writes += 1;
    expect(writes).toBeLessThan(200);
    expect(await health()).toMatchObject({ status: "degraded", store: { isWorking: false, why: expect.any(String) } });
  });
});

describe("a store at an impossible path", () => {
  const file = join(root, "file");
  const folder = join(root, "folder");
  writeFileSync(file, "");
  mkdirSync(folder);
  const longName = "n".repeat(300);

  const paths: [string, string, RegExp][] = [
    ["in a file", join(file, "store.db"), /file is not a folder/],
    ["deep in a file", join(file, "a", "b", "store.db"), /file is not a folder/],
    ["that is a folder", folder, /is not a file/],
    ["that is a device", "/dev/null", /is not a file/],
    ["with a name that is too long", join(root, longName, "store.db"), /ENAMETOOLONG/],
    ["in a folder that takes no folders", "/proc/none/store.db", /ENOENT|EACCES/],
    ["in a folder that takes no files", "/proc/store.db", /ENOENT|EACCES/],
  ];
  const here = paths.filter(([, path]) => process.platform === "linux" || !path.startsWith("/proc/"));

  // Loading the program takes longer than the failure itself.
  beforeAll(async () => {
    const terminal = makeTerminal(root, { PORT: "0", LONGHAUL_STORE: ":memory:" });
    terminal.stop();
    await run(["start"], terminal);
  });

  it.each(here)("%s fails with one line", async (_, path, why) => {
    const terminal = makeTerminal(root, { PORT: "0", LONGHAUL_STORE: path });
    terminal.stop();
    const startedMs = performance.now();
    expect(await run(["start"], terminal)).toBe(1);
    expect(performance.now() - startedMs).toBeLessThan(1_000);
    expect(terminal.errors()).toMatch(why);
    expect(terminal.errors()).toMatch(/^longhaul: the database .* \(store\.unavailable\)\n$/);
    expect(terminal.errors()).toContain(path);
  });
});

it.each([
  ["one process", []],
  ["workers", ["--workers", "2"]],
])("says that it already runs, where, and how to stop it (%s)", async (_, args) => {
  const home = mkdtempSync(join(root, "h"));
  const first = makeTerminal(home, { PORT: "0" });
  const running = run(["start"], first);
  const url = await first.announced;
  const second = makeTerminal(home, { PORT: new URL(url).port });
  expect(await run(["start", ...args], second)).toBe(1);
  expect(second.errors()).toBe(
    `longhaul: Longhaul is already running at ${url}. It runs in process ${process.pid}: Ctrl-C in its terminal or \`kill ${process.pid}\` stops it. \`longhaul dashboard\` prints the link to its dashboard; --port or PORT starts a second one\n`,
  );
  expect((await fetch(`${url}/healthz`)).status).toBe(200);
  first.stop();
  expect(await running).toBe(0);
});

it("starts although the keys of killed clients cannot be deleted", async () => {
  const home = mkdtempSync(join(root, "h"));
  const file = join(home, "kept.db");
  await run(
    ["keys", "create", `claude-code (longhaul run, process 999999999 on ${hostname()})`, "--store", file],
    makeTerminal(home),
  );
  await run(["keys", "create", "laptop", "--store", file], makeTerminal(home));
  const database = new DatabaseSync(file);
  database.exec("create trigger kept before delete on keys begin select raise(fail, 'not now'); end");
  database.close();
  const terminal = makeTerminal(home, { PORT: "0" });
  const running = run(["start", "--store", file], terminal);
  expect((await fetch(`${await terminal.announced}/healthz`)).status).toBe(200);
  terminal.stop();
  expect(await running).toBe(0);
});

it("closes the gateway even if another part cannot be closed", async () => {
  const home = mkdtempSync(join(root, "h"));
  const terminal = makeTerminal(home, { PORT: "0" });
  const failing = changedTerminal(terminal, {
    onReload: () => () => {
      throw new Error("cannot be closed");
    },
  });
  const running = run(["start"], failing);
  const url = await terminal.announced;
  terminal.stop();
  await expect(running).rejects.toThrow("cannot be closed");
  await expect(fetch(`${url}/healthz`)).rejects.toThrow();
});

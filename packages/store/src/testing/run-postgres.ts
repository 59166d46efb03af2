// Runs PostgreSQL on a free port, prints "ready <port>", accepts "kill" and "start", and exits when standard input ends.
import { type ChildProcess, spawn } from "node:child_process";
import { once } from "node:events";
import { chownSync, cpSync, mkdtempSync, readFileSync, rmSync, symlinkSync, writeFileSync } from "node:fs";
import { createServer } from "node:net";
import { tmpdir } from "node:os";
import { basename, dirname, join } from "node:path";
import { createInterface } from "node:readline";
import { setTimeout as wait } from "node:timers/promises";
import { findPostgres } from "./postgres.ts";

/** PostgreSQL refuses to run as root. */
const UNPRIVILEGED_USER = 65_534;
const user = process.getuid?.() === 0 ? { uid: UNPRIVILEGED_USER, gid: UNPRIVILEGED_USER } : {};
/** After a kill, orphaned processes keep its memory for a moment. */
const MAX_STARTS = 100;
const PAUSE_MS = 50;

const folder = mkdtempSync(join(tmpdir(), "longhaul-postgres-"));
let running: ChildProcess | undefined;
process.stdin.once("end", () => void end(0));
process.once("SIGTERM", () => void end(0));
process.once("uncaughtException", (error) => {
  process.stderr.write(`${error.stack}\n`);
  void end(1);
});

const programs = copyPrograms();
const port = await freePort();
await makeCluster();
await start();
process.stdout.write(`ready ${port}\n`);
for await (const command of createInterface(process.stdin)) {
  if (command === "kill") await stop("SIGKILL");
  else await start();
  process.stdout.write(`done ${command}\n`);
}

/** Copies the programs to a folder that another user may enter, and adds the links that npm does not pack. */
function copyPrograms(): string {
  if (user.uid !== undefined) chownSync(folder, user.uid, user.gid);
  const copy = join(folder, "native");
  cpSync(findPostgres() ?? "", copy, { recursive: true });
  const links: { source: string; target: string }[] = JSON.parse(readFileSync(join(copy, "pg-symlinks.json"), "utf8"));
  for (const { source, target } of links) {
    const link = join(dirname(copy), target);
    // The package's install script, if npm ran it, has made the link already.
    rmSync(link, { force: true });
    symlinkSync(basename(source), link);
  }
  return join(copy, "bin");
}

async function freePort(): Promise<number> {
  const server = createServer().listen(0, "127.0.0.1");
  await once(server, "listening");
  const address = server.address();
  server.close();
  return typeof address === "object" ? (address?.port ?? 0) : 0;
}

/** Sorts texts by locale, like most real databases, not by bytes. Only the role "guarded" needs a password. */
async function makeCluster(): Promise<void> {
  const locale = ["--encoding=UTF8", "--locale=C", "--locale-provider=icu", "--icu-locale=en-US"];
  const options = ["--username=longhaul", "--auth=trust", "--no-sync", "--no-instructions", ...locale];
  const making = run("initdb", ["-D", join(folder, "data"), ...options]);
  const [code] = await once(making, "exit");
  if (code !== 0) throw new Error(`initdb ended with ${code}`);
  const rules = "host all guarded 127.0.0.1/32 scram-sha-256\nhost all all 127.0.0.1/32 trust\n";
  writeFileSync(join(folder, "data", "pg_hba.conf"), rules);
}

async function start(): Promise<void> {
  // Tests kill the process, not the machine, so fsync is not needed.
  const settings = {
    listen_addresses: "127.0.0.1",
    port,
    unix_socket_directories: "",
    fsync: "off",
    max_connections: 200,
  };
  const options = Object.entries(settings).flatMap(([name, value]) => ["-c", `${name}=${value}`]);
  for (let attempt = 1; attempt <= MAX_STARTS; attempt++) {
    const server = run("postgres", ["-D", join(folder, "data"), ...options]);
    running = server;
    if (await isReady(server)) return;
    await wait(PAUSE_MS);
  }
  throw new Error("PostgreSQL does not start");
}

function run(program: string, options: readonly string[]): ChildProcess {
  const child = spawn(join(programs, program), options, { ...user, cwd: folder, stdio: ["ignore", "ignore", "pipe"] });
  running = child;
  return child;
}

function isReady(server: ChildProcess): Promise<boolean> {
  return new Promise((resolve, reject) => {
    server.once("error", reject);
    server.once("exit", () => resolve(false));
    server.stderr?.on("data", (chunk) => {
      if (String(chunk).includes("ready to accept connections")) resolve(true);
    });
  });
}

async function stop(signal: NodeJS.Signals): Promise<void> {
  if (running === undefined || running.exitCode !== null || running.signalCode !== null) return;
  const exited = once(running, "exit");
  running.kill(signal);
  await exited;
}

async function end(code: number): Promise<void> {
  await stop("SIGQUIT");
  rmSync(folder, { recursive: true, force: true, maxRetries: 20, retryDelay: PAUSE_MS });
  process.exit(code);
}

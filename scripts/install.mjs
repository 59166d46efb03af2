// Installs the packages of the lockfile, only if it changed since the last time: those that running needs, or with --all those for
// development and tests, too. Runs on Node 20, before anything is installed; afterwards it runs the given scripts with the installed Node.
import { spawn, spawnSync } from "node:child_process";
import { createHash } from "node:crypto";
import { existsSync, readdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { createInterface } from "node:readline";
import { fileURLToPath } from "node:url";

const root = dirname(dirname(fileURLToPath(import.meta.url)));
const modules = join(root, "node_modules");
const stamp = join(modules, ".longhaul-installed");
const lockfile = readFileSync(join(root, "package-lock.json"), "utf8");
const hash = createHash("sha256").update(lockfile).update(`${process.platform}-${process.arch}`).digest("hex");
// A package that only tests use. A complete installation stays complete.
const isComplete = existsSync(join(modules, "vitest"));
const installsAll = process.argv.includes("--all") || isComplete;
const SIZES = { all: "about 750 MB", run: "about 220 MB" };
const state = (scope) => `${hash} ${scope}`;

if (!isInstalled()) {
  await install();
  requireRuntime();
  removeHeaders();
  writeFileSync(stamp, state(installsAll ? "all" : "run"));
}
// A shell caches the path of `node`, so `install.mjs && node other.ts` would not use the installed one.
for (const script of process.argv.slice(2)) if (script !== "--all") run(script);

function isInstalled() {
  if (!existsSync(stamp)) return false;
  const installed = readFileSync(stamp, "utf8");
  return installed === state("all") || (!installsAll && installed === state("run"));
}

async function install() {
  // Not `npm ci`: it rejects a lockfile made where other systems' platform packages were unavailable.
  const args = ["install", "--no-save", "--ignore-scripts", "--loglevel=http", "--no-progress"];
  if (!installsAll) args.push("--omit=dev");
  const size = installsAll ? SIZES.all : SIZES.run;
  const what = installsAll ? "Longhaul's packages with those for tests" : "Longhaul's packages";
  // Without a network, npm is silent for minutes before it gives up.
  console.error(`Installing ${what} from npm, only once (${size}).`);
  const npm = process.env.npm_execpath ?? "";
  const options = { cwd: root, stdio: ["ignore", "ignore", "pipe"] };
  const child = /npm-cli\.c?js$/.test(npm)
    ? spawn(process.execPath, [npm, ...args], options)
    : spawn(["npm", ...args].join(" "), { ...options, shell: true });
  const problems = [];
  const progress = openProgress();
  createInterface({ input: child.stderr }).on("line", (line) => {
    if (!/^npm http /.test(line)) problems.push(line);
    else if (line.includes(".tgz")) progress.advance();
  });
  const status = await new Promise((resolve) => child.once("error", () => resolve(1)).once("close", resolve));
  progress.close();
  if (status === 0) return;
  for (const line of problems) console.error(line);
  fail("Longhaul could not install its packages. Check that npm can reach its registry, then run the command again.");
}

/** Shows on a terminal how many packages have been downloaded, and for how long. */
function openProgress() {
  if (!process.stderr.isTTY) return { advance() {}, close() {} };
  const total = Object.entries(JSON.parse(lockfile).packages ?? {}).filter(isForThisMachine).length;
  const startedAtMs = Date.now();
  let done = 0;
  const show = () => {
    const seconds = Math.round((Date.now() - startedAtMs) / 1_000);
    process.stderr.write(`\r\u001b[K  ${Math.min(done, total)} of ${total} packages downloaded, ${seconds} s`);
  };
  const timer = setInterval(show, 500);
  return {
    advance: () => done++,
    close: () => {
      clearInterval(timer);
      process.stderr.write("\r\u001b[K");
    },
  };
}

function isForThisMachine([path, { link, dev, os, cpu, libc }]) {
  const fits = (wanted, own) => wanted === undefined || [wanted].flat().includes(own);
  return (
    path.includes("node_modules/") &&
    !link &&
    (installsAll || !dev) &&
    fits(os, process.platform) &&
    fits(cpu, process.arch) &&
    !(libc ?? []).includes("musl")
  );
}

/** Node comes from npm. If npm has none for this system, the current one must be new enough to run TypeScript. */
function requireRuntime() {
  const name = process.platform === "win32" ? "node.cmd" : "node";
  if (existsSync(join(modules, ".bin", name))) return;
  const [major = 0, minor = 0] = process.versions.node.split(".").map(Number);
  if (major > 22 || (major === 22 && minor >= 19)) return;
  fail(
    `npm has no Node 24 for ${process.platform}-${process.arch}, and this is Node ${process.versions.node}. ` +
      "Install Node 22.19 or newer, then run the command again.",
  );
}

/** Removes Node's C headers, a third of its size: they are only for compiling native add-ons, and there are none. */
function removeHeaders() {
  const runtimes = readdirSync(modules).filter((name) => /^node-(?:bin-)?(?:linux|darwin|win)-/.test(name));
  for (const name of runtimes) rmSync(join(modules, name, "include"), { recursive: true, force: true });
}

function run(script) {
  // Through a shell: on Windows the installed one is `node.cmd`.
  const { status } = spawnSync(`node ${script}`, { cwd: root, stdio: "inherit", shell: true });
  if (status !== 0) process.exit(status ?? 1);
}

function fail(message) {
  console.error(message);
  process.exit(1);
}

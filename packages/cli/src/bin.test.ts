import { spawn, spawnSync } from "node:child_process";
import { copyFileSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { fileURLToPath } from "node:url";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { readVersion } from "./terminal/program-files.ts";

const PACKAGE = fileURLToPath(new URL("..", import.meta.url));
const { bin } = JSON.parse(readFileSync(join(PACKAGE, "package.json"), "utf8"));
const OLD = "20.20.2";
/** Makes this Node behave like an old one: another version, and no TypeScript. A Node that it starts is unaffected. */
const AS_OLD = [
  "--no-experimental-strip-types",
  "--import",
  `data:text/javascript,Object.defineProperty(process,"versions",{value:{...process.versions,node:"${OLD}"}})`,
];

let root = "";
beforeEach(() => {
  root = mkdtempSync(join(tmpdir(), "longhaul-"));
  mkdirSync(join(root, "packages/cli", dirname(bin.longhaul)), { recursive: true });
  copyFileSync(join(PACKAGE, "package.json"), join(root, "packages/cli/package.json"));
  copyFileSync(join(PACKAGE, bin.longhaul), join(root, "packages/cli", bin.longhaul));
});
afterEach(() => rmSync(root, { recursive: true }));

/** Replaces the Node that npm installs. */
function installNode(script: string): void {
  mkdirSync(join(root, "node_modules/.bin"), { recursive: true });
  writeFileSync(join(root, "node_modules/.bin/node"), `#!/bin/sh\n${script}\n`, { mode: 0o755 });
}

function start(flags: readonly string[], folder = join(root, "packages/cli")) {
  const args = [...flags, join(folder, bin.longhaul), "--version"];
  const { status, signal, stdout, stderr } = spawnSync(process.execPath, args, { encoding: "utf8" });
  return { status, signal, stdout, stderr };
}

describe("bin/longhaul.mjs", () => {
  it("runs the program if Node is new enough", () => {
    const version = `${readVersion()}\n`;
    expect(start([], PACKAGE)).toEqual({ status: 0, signal: null, stdout: version, stderr: "" });
  });

  it("starts the installed Node if Node is too old, and exits with its exit code", () => {
    installNode('echo "$@"; exit 7');
    const stdout = `${join(root, "packages/cli", bin.longhaul)} --version\n`;
    expect(start(AS_OLD)).toEqual({ status: 7, signal: null, stdout, stderr: "" });
  });

  it("forwards a signal to the Node that it started, and ends by the same signal", async () => {
    installNode("trap 'echo stopped; exit 3' TERM; echo ready; while :; do sleep 0.05; done");
    const main = join(root, "packages/cli", bin.longhaul);
    const child = spawn(process.execPath, [...AS_OLD, main], { stdio: ["ignore", "pipe", "inherit"] });
    let output = "";
    child.stdout.on("data", (chunk) => (output += chunk));
    const ended = new Promise((resolve) => child.once("close", (...end) => resolve(end)));
    await expect.poll(() => output).toBe("ready\n");
    child.kill("SIGTERM");
    expect(await ended).toEqual([3, null]);
    expect(output).toBe("ready\nstopped\n");
    installNode("kill -9 $$");
    expect(start(AS_OLD)).toMatchObject({ status: null, signal: "SIGKILL" });
  });

  it("prints a remedy in one line if no other Node is installed", () => {
    const stderr = `longhaul: Node ${OLD} is too old: Longhaul needs 22.19 or newer; run "npm install" in ${root}, which installs one, or upgrade Node\n`;
    expect(start(AS_OLD)).toEqual({ status: 1, signal: null, stdout: "", stderr });
  });
});

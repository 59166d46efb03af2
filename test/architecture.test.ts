import { expect, it } from "vitest";
import { measureHouse } from "../scripts/house-figures.ts";
import { cycles } from "./architecture/cycles.ts";
import { forbiddenImports } from "./architecture/forbidden-imports.ts";
import { impurities } from "./architecture/impurities.ts";
import { directJsonParsing } from "./architecture/json-parsing.ts";
import {
  dependencyFaults,
  entryPointFaults,
  type Manifest,
  type PackageConfig,
  type RootConfig,
  type TsConfig,
  tsConfigFaults,
} from "./architecture/manifest-faults.ts";
import { missingTests } from "./architecture/missing-tests.ts";
import { openTables } from "./architecture/open-tables.ts";
import { PACKAGE_TABLE } from "./architecture/package-table.ts";
import { parseSource } from "./architecture/source-file.ts";
import { typeEscapes } from "./architecture/type-escapes.ts";
import { packageFolders, readFiles, readJson } from "./repository.ts";

const files = readFiles((path) => /^(packages|test|bench|scripts)\/.*\.tsx?$/.test(path)).map(parseSource);
const packageFiles = files.filter((file) => file.path.startsWith("packages/"));
const configs: PackageConfig[] = packageFolders().map((folder) => ({
  folder,
  manifest: readJson<Manifest>(`packages/${folder}/package.json`),
  tsConfig: readJson<TsConfig>(`packages/${folder}/tsconfig.json`),
}));
const root: RootConfig = {
  manifest: readJson<Manifest>("package.json"),
  tsConfig: readJson<TsConfig>("tsconfig.json"),
  testTsConfig: readJson<TsConfig>("tsconfig.test.json"),
};

it("reads the real sources", () => {
  expect(packageFiles.map((file) => file.path)).toContain("packages/conversation/src/block.ts");
  expect(configs.map(({ folder }) => folder)).toContain("conversation");
});

it("lists every package in the table", () => {
  expect(Object.keys(PACKAGE_TABLE)).toEqual(expect.arrayContaining(packageFolders()));
});

it("lets a package import only what the table allows", () => {
  expect(forbiddenImports(files)).toEqual([]);
});

it("has no import cycles between files or folders", () => {
  expect(cycles(files)).toEqual([]);
});

it("keeps pure packages free of time, randomness, environment and Node", () => {
  expect(impurities(files)).toEqual([]);
});

it("reaches every source with logic from a test of its package", () => {
  expect(missingTests(files)).toEqual([]);
});

it("asserts types only in guards", () => {
  expect(typeEscapes(files)).toEqual([]);
});

it("parses JSON from outside only with parseJsonText", () => {
  expect(directJsonParsing(files)).toEqual([]);
});

it("looks up no computed key in a plain object", () => {
  expect(openTables(files)).toEqual([]);
});

it("compares names of wire formats only in packages about them", () => {
  const figures = [...measureHouse(packageFiles)].filter(([, { formatComparisons }]) => formatComparisons > 0);
  const subjects = ["all", "logs", "simulator", "upstream", "wire"];
  expect(figures.map(([name]) => name).filter((name) => !subjects.includes(name))).toEqual([]);
});

it("never compares kinds of upstream: their descriptors have the differences", () => {
  expect(measureHouse(packageFiles).get("all")?.kindComparisons).toBe(0);
});

it("declares exactly what each package imports in its package.json", () => {
  expect(dependencyFaults(packageFiles, configs, root.manifest)).toEqual([]);
});

it("imports packages only through their exported entry points", () => {
  expect(entryPointFaults(files, configs)).toEqual([]);
});

it("references exactly the dependencies in each tsconfig", () => {
  expect(tsConfigFaults(configs, root)).toEqual([]);
});

import { expect, it } from "vitest";
import { impurities } from "./impurities.ts";
import { parseFiles } from "./parse-files.ts";

it.each([
  ["a clock", "const now = Date.now();", "Date"],
  ["a date", "const now = new Date();", "Date"],
  ["a local field of a given time", "const then = new Date(0);", "Date"],
  ["an hour of a given time in the local time zone", "const hour = new Date(0).getHours();", "Date"],
  ["the current time in UTC", "const now = new Date().toISOString();", "Date"],
  ["a clock by another name", "const Clock = Date; Clock.now();", "Date"],
  ["a stopwatch", "const now = performance.now();", "performance"],
  ["chance", "const dice = Math.random();", "Math"],
  ["chance by destructuring", "const { random } = Math;", "Math"],
  ["random bytes", "const id = crypto.randomUUID();", "crypto"],
  ["the environment", "const home = process.env.HOME;", "process"],
  ["the environment behind globalThis", 'const home = globalThis["process"];', "globalThis"],
  ["a timer", "setTimeout(() => {}, 1);", "setTimeout"],
  ["a repeated timer", "setInterval(() => {}, 1);", "setInterval"],
  ["the network", 'fetch("https://x.example");', "fetch"],
  ["output", "console.log(1);", "console"],
  ["the machine's language", 'const order = "a".localeCompare("b");', "localeCompare"],
  ["the machine's number format", "const text = (1).toLocaleString();", "toLocaleString"],
  ["the machine's date format", "const text = new Intl.DateTimeFormat().format(0);", "Intl"],
  ["the place of a file", "const here = import.meta.url;", "import.meta"],
  ["a shorthand property", "const both = { process };", "process"],
])("finds %s in a pure package", (_, text, name) => {
  expect(impurities(parseFiles({ "packages/condense/src/a.ts": `\n${text}` }))).toEqual([
    `packages/condense/src/a.ts:2 uses ${name}`,
  ]);
});

it.each(["node:fs", "fs", "node:test", "fs/promises"])("finds an import of %s in a pure package", (specifier) => {
  expect(impurities(parseFiles({ "packages/wire/src/a.ts": `import "${specifier}";` }))).toEqual([
    `packages/wire/src/a.ts:1 imports ${specifier}`,
  ]);
});

it("accepts code that only looks similar", () => {
  const text = `
interface Report { performance: number; process(): void; at: Date }
const report = { performance: 1, process() {}, console: 2 };
const sum = report.performance + Math.max(1, 2) + Date.parse("2026-01-01T00:00:00Z") + Date.UTC(2026, 0);
const given = new Date(sum).toISOString() + new Date(sum).getUTCFullYear();
// Date.now() and process.env are words here
const words = "setTimeout(fetch)";
class Box { process = 1; fetch() {} }
`;
  expect(impurities(parseFiles({ "packages/models/src/a.ts": text }))).toEqual([]);
});

it("ignores tests, test data and impure packages", () => {
  const text = 'import "node:fs"; const now = Date.now();';
  const files = parseFiles({
    "packages/condense/src/a.test.ts": text,
    "packages/condense/src/testing/a.ts": text,
    "packages/gateway/src/a.ts": text,
    "bench/a.ts": text,
  });
  expect(impurities(files)).toEqual([]);
});

// Runs every check, then the tests, and ends with one machine-readable line: `N passed, N failed`. `--house` skips the packages' own tests.
// Files whose process is killed by a signal run once more (docs/decisions/0025).
import { spawn } from "node:child_process";
import { mkdirSync, readdirSync, readFileSync, rmSync } from "node:fs";
import { delimiter, join } from "node:path";
import { fileURLToPath } from "node:url";
import { killedFiles, type Outcome, type TestReport, type TestRun, tally } from "./tally.ts";

const root = fileURLToPath(new URL("..", import.meta.url));
const reportFile = join(".cache", "tests.json");

const CHECKS = {
  "format and lint": "biome check --error-on-warnings --colors=force .",
  types: "tsc -b --pretty",
  "unused code": "knip",
};
const TESTS = process.argv.includes("--house") ? "vitest run --project house" : "vitest run";
/** Where Node writes reports of fatal errors, as set in vitest.config.ts. */
const reportFolder = join(".cache", "node-reports");
/** Threads and processes that tests start load in two thirds of the time with it. */
const compileCache = join(root, ".cache", "compile");
/** Node's output about its own fatal error; the reason comes right before. */
const FATAL_OUTPUT = /[^\n]*\n*----- Native stack trace -----[\s\S]{0,2000}/g;

const checks = await Promise.all(Object.entries(CHECKS).map(([name, command]) => runQuietly(name, command)));
rmSync(join(root, reportFolder), { force: true, recursive: true });
const runs: TestRun[] = [await runTests("tests", TESTS)];
const killed = runs.flatMap((run) => run.killed);
if (killed.length > 0) runs.push(await runAgain(killed));
const { passed, failed } = tally(checks, runs);
if (killed.length > 0) console.log(killedNotice(killed));
console.log(`\n${passed} passed, ${failed} failed`);
process.exitCode = failed === 0 ? 0 : 1;

/** Runs a command and shows its output only if it fails. */
async function runQuietly(name: string, command: string): Promise<Outcome> {
  const chunks: Buffer[] = [];
  const child = spawn(command, { cwd: root, env: environment(), shell: true, stdio: ["ignore", "pipe", "pipe"] });
  child.stdout.on("data", (chunk: Buffer) => chunks.push(chunk));
  child.stderr.on("data", (chunk: Buffer) => chunks.push(chunk));
  const exitCode = await ended(child);
  if (exitCode !== 0) process.stdout.write(`\n${name} (${command}):\n${Buffer.concat(chunks)}`);
  console.log(`${exitCode === 0 ? "passed" : "FAILED"}: ${name}`);
  return { name, exitCode };
}

async function runTests(name: string, command: string): Promise<TestRun> {
  rmSync(join(root, reportFile), { force: true });
  mkdirSync(join(root, reportFolder), { recursive: true });
  const reporters = `--reporter=default --reporter=json --outputFile.json=${reportFile}`;
  const child = spawn(`${command} ${reporters}`, {
    cwd: root,
    env: { ...environment(), NODE_COMPILE_CACHE: compileCache },
    shell: true,
    stdio: ["ignore", "inherit", "pipe"],
  });
  const chunks: Buffer[] = [];
  child.stderr.on("data", (chunk: Buffer) => {
    process.stderr.write(chunk);
    chunks.push(chunk);
  });
  const exitCode = await ended(child);
  const errors = Buffer.concat(chunks).toString();
  const killed = killedFiles(errors);
  for (const [words] of killed.length > 0 ? errors.matchAll(FATAL_OUTPUT) : []) console.log(`\n${words}`);
  return { name, exitCode, report: readReport(), killed };
}

function runAgain(files: readonly string[]): Promise<TestRun> {
  console.log(`\nkilled by a signal, running again: ${files.join(", ")}`);
  return runTests("tests again", `vitest run ${files.map((file) => `"${file}"`).join(" ")}`);
}

/** A notice for the end of the output that a process died, because the result alone does not show it. */
function killedNotice(files: readonly string[]): string {
  const reports = readdirSync(join(root, reportFolder));
  const kept =
    reports.length === 0 ? "Node left no report" : `Node's reports: ${reports.join(", ")} in ${reportFolder}`;
  return `\nWARNING: a test process was killed by a signal in ${files.join(", ")}, and its files ran again. ${kept}. Keep this output (docs/decisions/0025).`;
}

function ended(child: ReturnType<typeof spawn>): Promise<number> {
  return new Promise((resolve, reject) => {
    child.once("error", reject);
    child.once("close", (code) => resolve(code ?? 1));
  });
}

/** Puts the tools on the path, as npm does for its scripts, so that this file also works when called directly. */
function environment(): NodeJS.ProcessEnv {
  const path = [join(root, "node_modules", ".bin"), process.env.PATH].join(delimiter);
  return { ...process.env, PATH: path };
}

function readReport(): TestReport | undefined {
  try {
    return JSON.parse(readFileSync(join(root, reportFile), "utf8"));
  } catch {
    return undefined;
  }
}

// Runs every check, then the tests, and closes with one line that any script can read: `N passed, N failed`.
// `--house` leaves the packages' own tests out. Files whose process dies of a signal are run once more (docs/decisions/0025).
import { spawn } from "node:child_process";
import { mkdirSync, readdirSync, readFileSync, rmSync } from "node:fs";
import { delimiter, join } from "node:path";
import { fileURLToPath } from "node:url";
import { filesThatDied, type Outcome, type TestReport, type TestRun, tally } from "./tally.ts";

const root = fileURLToPath(new URL("..", import.meta.url));
const reportFile = join(".cache", "tests.json");

const FIRST_RUN = "tests";
const CHECKS = {
  "format and lint": "biome check --error-on-warnings --colors=force .",
  types: "tsc -b --pretty",
  "unused code": "knip",
};
const TESTS = process.argv.includes("--house") ? "vitest run --project house" : "vitest run --coverage";
/** Where Node writes a report of a fatal error; vitest.config.ts says so. */
const reportFolder = join(".cache", "node-reports");
/** The part of the output in which Node says why it ends itself; the reason comes right before. */
const LAST_WORDS = /[^\n]*\n*----- Native stack trace -----[\s\S]{0,2000}/g;

const checks = await Promise.all(Object.entries(CHECKS).map(([name, command]) => runQuietly(name, command)));
const tests = await runTests(FIRST_RUN, TESTS);
const runs = tests.died.length === 0 ? [tests] : [tests, await runAgain(tests.died)];
const { passed, failed } = tally(checks, runs);
if (tests.died.length > 0) console.log(deathNotice(tests.died));
console.log(`\n${passed} passed, ${failed} failed`);
process.exitCode = failed === 0 ? 0 : 1;

/** Runs a command and shows what it says only if it fails. */
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
  if (name === FIRST_RUN) rmSync(join(root, reportFolder), { force: true, recursive: true });
  mkdirSync(join(root, reportFolder), { recursive: true });
  const reporters = `--reporter=default --reporter=json --outputFile.json=${reportFile}`;
  const child = spawn(`${command} ${reporters}`, {
    cwd: root,
    env: environment(),
    shell: true,
    stdio: ["ignore", "inherit", "pipe"],
  });
  const said: Buffer[] = [];
  child.stderr.on("data", (chunk: Buffer) => {
    process.stderr.write(chunk);
    said.push(chunk);
  });
  const exitCode = await ended(child);
  const errors = Buffer.concat(said).toString();
  const died = filesThatDied(errors);
  for (const [words] of died.length > 0 ? errors.matchAll(LAST_WORDS) : []) console.log(`\n${words}`);
  return { name, exitCode, report: readReport(), died };
}

function runAgain(files: readonly string[]): Promise<TestRun> {
  console.log(`\nended by a signal, and run once more: ${files.join(", ")}`);
  return runTests("tests again", `vitest run ${files.map((file) => `"${file}"`).join(" ")}`);
}

/** Says right before the result that a process died, because the result alone does not show it. */
function deathNotice(files: readonly string[]): string {
  const reports = readdirSync(join(root, reportFolder));
  const kept =
    reports.length === 0 ? "Node left no report" : `Node's reports: ${reports.join(", ")} in ${reportFolder}`;
  return `\nWARNING: a test process was ended by a signal in ${files.join(", ")}, and its files were run again. ${kept}. Keep this output (docs/decisions/0025).`;
}

function ended(child: ReturnType<typeof spawn>): Promise<number> {
  return new Promise((resolve, reject) => {
    child.once("error", reject);
    child.once("close", (code) => resolve(code ?? 1));
  });
}

/** npm's scripts have the tools on their path; so has whoever calls this file directly. */
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

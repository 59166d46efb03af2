// Feeds random input to everything that parses external data, and runs all property tests with a fresh seed. npm run fuzz -- --runs
// 10000000 --minutes 30 --seed 7 --only scanner --from 120 --threads 2
import { spawn } from "node:child_process";
import { randomInt } from "node:crypto";
import { once } from "node:events";
import { availableParallelism } from "node:os";
import { delimiter, join } from "node:path";
import { fileURLToPath } from "node:url";
import { parseArgs } from "node:util";
import { runCampaign, type TargetReport } from "../test/fuzz/campaign.ts";
import { MAX_RUN_MS } from "../test/fuzz/run-cases.ts";
import { FUZZ_TARGETS } from "../test/fuzz/targets.ts";
import { SEED_VARIABLE } from "../test/property-seed.ts";
import { readFiles } from "../test/repository.ts";

const root = fileURLToPath(new URL("..", import.meta.url));
/** A special target: the property tests, which run last. */
const PROPERTIES = "properties";
/** Longer than any case may take, or a busy machine may pause. */
const HANG_MS = 20_000;
const PROGRESS_MS = 10_000;

const { values } = parseArgs({
  options: {
    runs: { type: "string", default: "10000000" },
    minutes: { type: "string", default: "30" },
    seed: { type: "string", default: `${randomInt(2 ** 31)}` },
    only: { type: "string", multiple: true, default: [] },
    from: { type: "string", default: "0" },
    threads: { type: "string", default: `${availableParallelism()}` },
  },
});
const seed = Number(values.seed);
const targets = FUZZ_TARGETS.filter(({ name }) => isSelected(name));
const names = [...FUZZ_TARGETS.map(({ name }) => name), PROPERTIES];
if (!names.some(isSelected))
  throw new Error(`no target begins with ${values.only.join(" or ")}; the targets are ${names.join(", ")}`);

console.log(`seed ${seed}: at most ${values.runs} runs and ${values.minutes} minutes, ${values.threads} threads`);
const start = performance.now();
const stopping = new AbortController();
process.once("SIGINT", () => {
  console.error("stopping after the current batches; press Ctrl-C again to stop immediately");
  stopping.abort();
});
const reports = await runCampaign({
  module: new URL("../test/fuzz/targets.ts", import.meta.url).href,
  targets,
  seed,
  runs: Number(values.runs),
  from: Number(values.from),
  milliseconds: Number(values.minutes) * 60_000,
  threads: Number(values.threads),
  hangMs: HANG_MS,
  signal: stopping.signal,
  onBatch: makeProgress(),
});
showReports(reports, (performance.now() - start) / 1_000);
const failures = reports.flatMap(({ failures }) => failures);
const areSound = isSelected(PROPERTIES) && !stopping.signal.aborted ? await runProperties() : true;
process.exitCode = failures.length === 0 && areSound ? 0 : 1;

/** Whether a target was requested by its name or a prefix of it. */
function isSelected(name: string): boolean {
  return values.only.length === 0 || values.only.some((wanted) => name.startsWith(wanted));
}

/** Prints the progress every ten seconds. */
function makeProgress(): (all: readonly TargetReport[]) => void {
  let next = start + PROGRESS_MS;
  return (all) => {
    if (performance.now() < next) return;
    next += PROGRESS_MS;
    const seconds = Math.round((performance.now() - start) / 1_000);
    console.error(`${seconds} s: ${totalOf(all)} runs, ${failuresOf(all)} failures`);
  };
}

function totalOf(all: readonly TargetReport[]): number {
  return all.reduce((sum, { executions }) => sum + executions, 0);
}

function failuresOf(all: readonly TargetReport[]): number {
  return all.reduce((sum, { failures }) => sum + failures.length, 0);
}

function showReports(all: readonly TargetReport[], seconds: number): void {
  console.log(row(["target", "runs", "failures", "slowest ms", "of case", "runs/s per thread"]));
  for (const { name, executions, failures, slowestMs, slowestIndex, busyMs } of all) {
    const rate = Math.round(executions / (busyMs / 1_000));
    console.log(row([name, executions, failures.length, slowestMs.toFixed(1), slowestIndex, rate]));
  }
  const total = totalOf(all);
  const over = all.filter(({ slowestMs }) => slowestMs > MAX_RUN_MS).length;
  const count = failuresOf(all);
  const rate = Math.round(total / seconds);
  console.log(
    `\n${total} runs in ${seconds.toFixed(0)} s (${rate}/s), ${count} failures, ${over} targets with a run over ${MAX_RUN_MS} ms`,
  );
  for (const { name, failures } of all) for (const failure of failures) showFailure(name, failure);
}

function showFailure(name: string, { index, error, input }: TargetReport["failures"][number]): void {
  console.log(`\n${name}, case ${index}: ${error}\ninput: ${input}`);
  console.log(`reproduce with: npm run fuzz -- --seed ${seed} --only ${name} --from ${index} --runs 1`);
}

function row(cells: readonly (string | number)[]): string {
  return cells.map((cell, index) => (index === 0 ? `${cell}`.padEnd(28) : `${cell}`.padStart(18))).join("");
}

/** Runs every test file with properties; fast-check prints the counterexample. */
async function runProperties(): Promise<boolean> {
  const files = readFiles((path) => /^(?:packages|test|bench)\/.*\.test\.ts$/.test(path))
    .filter(({ text }) => /\bfc\.|describe(?:Codec|Reader|Strategy|Store)\(/.test(text))
    .map(({ path }) => path);
  console.log(`\nproperties of ${files.length} test files, seed ${seed}`);
  const path = [join(root, "node_modules", ".bin"), process.env.PATH].join(delimiter);
  const env = { ...process.env, PATH: path, [SEED_VARIABLE]: `${seed}` };
  const child = spawn("vitest", ["run", "--reporter=dot", ...files], { cwd: root, env, stdio: "inherit" });
  const [code] = await once(child, "exit");
  if (code !== 0) console.log(`reproduce a file with: ${SEED_VARIABLE}=${seed} npx vitest run <file>`);
  return code === 0;
}

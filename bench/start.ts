// Measures the time from `longhaul start` to its first response at /healthz, packed and from the sources, and the time of small commands.
// Runs are interleaved, each with an empty home folder; the first start of each also fills Node's compile cache. Folders of other packed
// programs after the number of rounds are measured as well.
import { spawn, spawnSync } from "node:child_process";
import { mkdtempSync, readdirSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { announcedBy } from "../test/announced.ts";

const ROUNDS = Number(process.argv[2] ?? 10);
const others = process.argv.slice(3);
const root = fileURLToPath(new URL("..", import.meta.url));
const programs = {
  "bare Node": [
    "-e",
    "require('node:http').createServer().listen(0, function () { console.log(`listening on http://127.0.0.1:${this.address().port}`); this.on('request', (_, answer) => answer.end()) }); process.once('SIGTERM', () => process.exit())",
  ],
  packed: [programIn(join(root, ".cache/pack")), "start", "--port", "0"],
  ...Object.fromEntries(others.map((folder) => [folder, [programIn(folder), "start", "--port", "0"]])),
  sources: [join(root, "packages/cli/src/main.ts"), "start", "--port", "0"],
};

interface Start {
  readonly wallMs: number;
  readonly cpuMs: number;
}

const COMMANDS = ["version", "--help", "statusline"];
const starts = new Map<string, Start[]>();
const commands = new Map<string, Start[]>();
const COMMAND_PROGRAMS: Readonly<Record<string, string>> = {
  packed: programIn(join(root, ".cache/pack")),
  ...Object.fromEntries(others.map((folder) => [folder, programIn(folder)])),
  clone: join(root, "packages/cli/bin/longhaul.mjs"),
};
for (let round = 0; round < ROUNDS; round++) {
  for (const [name, args] of Object.entries(programs))
    starts.set(name, [...(starts.get(name) ?? []), await measure(args)]);
  for (const [program, file] of Object.entries(COMMAND_PROGRAMS))
    for (const command of COMMANDS) {
      const name = `${command}, ${program}`;
      commands.set(name, [...(commands.get(name) ?? []), measureCommand([file, command])]);
    }
}
printTable("`longhaul start` to /healthz", starts);
printTable("`longhaul …`", commands);

function printTable(title: string, rows: ReadonlyMap<string, readonly Start[]>): void {
  console.log(`\n| ${title} | first | median | best | CPU, median |\n|---|--:|--:|--:|--:|`);
  for (const [name, all] of rows) {
    const walls = all.map(({ wallMs }) => wallMs);
    const figures = [walls[0] ?? 0, median(walls), Math.min(...walls), median(all.map(({ cpuMs }) => cpuMs))];
    console.log(`| ${name} | ${figures.map((figure) => `${Math.round(figure)} ms`).join(" | ")} |`);
  }
}

function programIn(folder: string): string {
  return join(folder, "stage/longhaul/dist/longhaul.js");
}

/** Prints the CPU time of a process and its threads when it ends. */
const REPORT_CPU =
  'data:text/javascript,process.on("exit",()=>{const{user,system}=process.cpuUsage();process.stderr.write(`cpu ${(user+system)/1e3}`)})';

function measureCommand(args: readonly string[]): Start {
  const home = mkdtempSync(join(tmpdir(), "longhaul-start-"));
  const startedAt = performance.now();
  const { status, stderr } = spawnSync(process.execPath, ["--import", REPORT_CPU, ...args], {
    cwd: home,
    env: { HOME: home },
    input: "{}",
    encoding: "utf8",
  });
  const wallMs = performance.now() - startedAt;
  if (status !== 0) throw new Error(`${args.join(" ")}: ${stderr}`);
  rmSync(home, { recursive: true });
  return { wallMs, cpuMs: Number(/cpu ([\d.]+)$/.exec(stderr)?.[1]) };
}

async function measure(args: readonly string[]): Promise<Start> {
  const home = mkdtempSync(join(tmpdir(), "longhaul-start-"));
  const startedAt = performance.now();
  const child = spawn(process.execPath, args, { cwd: home, env: { HOME: home }, stdio: ["ignore", "pipe", "inherit"] });
  await (await fetch(`${await announcedBy(child)}/healthz`)).text();
  const start = { wallMs: performance.now() - startedAt, cpuMs: cpuMsOf(child.pid) };
  const ended = new Promise((resolve) => child.once("exit", resolve));
  child.kill("SIGTERM");
  await ended;
  rmSync(home, { recursive: true });
  return start;
}

/** CPU time of a process and its threads (Linux only). */
function cpuMsOf(pid: number | undefined): number {
  const threads = `/proc/${pid}/task`;
  try {
    const usedNs = readdirSync(threads).map((thread) =>
      Number(readFileSync(join(threads, thread, "schedstat"), "utf8").split(" ")[0]),
    );
    return usedNs.reduce((sum, used) => sum + used, 0) / 1e6;
  } catch {
    return Number.NaN;
  }
}

function median(values: readonly number[]): number {
  return values.toSorted((a, b) => a - b)[Math.floor(values.length / 2)] ?? Number.NaN;
}

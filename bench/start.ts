// How long `longhaul start` takes to its first answer at /healthz: packed, and from the sources. In turn, in one run, each with an empty
// home folder; the first start of each also fills Node's compile cache.
import { spawn } from "node:child_process";
import { mkdtempSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";

const ROUNDS = Number(process.argv[2] ?? 10);
const root = fileURLToPath(new URL("..", import.meta.url));
const programs = {
  "bare Node": [
    "-e",
    "require('node:http').createServer().listen(0, function () { console.log(`listens on http://127.0.0.1:${this.address().port}`); this.on('request', (_, answer) => answer.end()) }); process.once('SIGTERM', () => process.exit())",
  ],
  packed: [join(root, ".cache/pack/stage/longhaul/dist/longhaul.js"), "start", "--port", "0"],
  sources: [join(root, "packages/cli/src/main.ts"), "start", "--port", "0"],
};

interface Start {
  readonly wallMs: number;
  readonly cpuMs: number;
}

const starts = new Map<string, Start[]>();
for (let round = 0; round < ROUNDS; round++) {
  for (const [name, args] of Object.entries(programs))
    starts.set(name, [...(starts.get(name) ?? []), await measure(args)]);
}
console.log("| `longhaul start` to /healthz | first | median | best | CPU, median |\n|---|--:|--:|--:|--:|");
for (const [name, all] of starts) {
  const walls = all.map(({ wallMs }) => wallMs);
  const figures = [walls[0] ?? 0, median(walls), Math.min(...walls), median(all.map(({ cpuMs }) => cpuMs))];
  console.log(`| ${name} | ${figures.map((figure) => `${Math.round(figure)} ms`).join(" | ")} |`);
}

async function measure(args: readonly string[]): Promise<Start> {
  const home = mkdtempSync(join(tmpdir(), "longhaul-start-"));
  const startedAt = performance.now();
  const child = spawn(process.execPath, args, { cwd: home, env: { HOME: home }, stdio: ["ignore", "pipe", "inherit"] });
  const url = await new Promise<string>((resolve) => {
    let said = "";
    child.stdout.on("data", (chunk: Buffer) => {
      said += chunk;
      const [, found] = /listens on (http:\S+)/.exec(said) ?? [];
      if (found !== undefined) resolve(found);
    });
  });
  await (await fetch(`${url}/healthz`)).text();
  const start = { wallMs: performance.now() - startedAt, cpuMs: cpuMsOf(child.pid) };
  const ended = new Promise((resolve) => child.once("exit", resolve));
  child.kill("SIGTERM");
  await ended;
  rmSync(home, { recursive: true });
  return start;
}

/** What a process and its threads have used of the processor, where the system tells (Linux). */
function cpuMsOf(pid: number | undefined): number {
  const TICK_MS = 10;
  try {
    const fields = readFileSync(`/proc/${pid}/stat`, "utf8").split(") ")[1]?.split(" ") ?? [];
    return (Number(fields[11]) + Number(fields[12])) * TICK_MS;
  } catch {
    return Number.NaN;
  }
}

function median(values: readonly number[]): number {
  return values.toSorted((a, b) => a - b)[Math.floor(values.length / 2)] ?? Number.NaN;
}

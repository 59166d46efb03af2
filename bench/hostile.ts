// Measures how long other clients wait while one sends hostile bodies, and the memory these take. The gateway, its upstream, the hostile
// client and the other clients run in separate processes. npm run bench:hostile [-- --root <another checkout>] [-- --format gemini] [--
// --only "62 MB"]

import { type ChildProcess, fork } from "node:child_process";
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { availableParallelism, tmpdir, totalmem } from "node:os";
import { join } from "node:path";
import { setTimeout as waitFor } from "node:timers/promises";
import { fileURLToPath } from "node:url";
import { parseArgs } from "node:util";
import { Pool } from "undici";
import { type Child, startChild } from "./gateway/children.ts";
import { FORMATS, type Format, type HostileBody, hostileBodies } from "./hostile/bodies.ts";
import type { HostileAnswer } from "./hostile/sender.ts";

/** Minimum number of measured requests of other clients, and their interval. They continue until the first hostile request is answered. */
const OTHERS = 100;
const PACE_MS = 20;
/** Unmeasured requests of other clients before each row. */
const WARM_UP = 50;
/** Time for memory to be freed. */
const SETTLE_MS = 4_000;
const SAMPLE_MS = 25;
const MIB = 1024 * 1024;
const PAGE_BYTES = 4_096;
/** The request of the other clients. */
const SMALL = JSON.stringify({ model: "gpt-4o", messages: [{ role: "user", content: "hello" }] });

const { values } = parseArgs({
  options: {
    root: { type: "string", default: fileURLToPath(new URL("..", import.meta.url)) },
    format: { type: "string", default: "" },
    only: { type: "string", default: "" },
  },
});

const HEADS = ["body", "status", "ms", "sent", "p50", "p99", "max", "blocked", "RSS", "peak", "after"];
const folder = mkdtempSync(join(tmpdir(), "hostile-"));
const blockingFile = join(folder, "longest-block");
process.stdout.write(`${availableParallelism()} cores, ${Math.round(totalmem() / MIB / 1024)} GiB\n`);
const mock = await startChild([fileURLToPath(new URL("gateway/mock-upstream.ts", import.meta.url))]);
try {
  for (const format of FORMATS.filter(({ name }) => name.includes(values.format))) await measureFormat(format);
} finally {
  mock.stop();
  rmSync(folder, { recursive: true });
}

async function measureFormat(format: Format): Promise<void> {
  printRow([format.name, ...HEADS.slice(1)]);
  printRow(HEADS.map((_, index) => (index === 0 ? "---" : "--:")));
  for (const hostile of hostileBodies(format)) {
    if (!hostile.name.includes(values.only)) continue;
    const gateway = await startGateway();
    const sender = await startSender(gateway, format, hostile);
    try {
      printRow([hostile.name, ...(await measureBody(gateway, sender))]);
    } finally {
      sender.kill();
      gateway.stop();
    }
  }
  process.stdout.write("\n");
}

function printRow(cells: readonly (string | number)[]): void {
  const [first = "", ...others] = cells;
  process.stdout.write(`| ${[`${first}`.padEnd(34), ...others.map((cell) => `${cell}`.padStart(6))].join(" | ")} |\n`);
}

async function startGateway(): Promise<Child> {
  const watch = new URL("hostile/watch-event-loop.ts", import.meta.url).href;
  const program = `${values.root}/bench/gateway/longhaul.ts`;
  return await startChild(["--import", watch, program, mock.url, "manage"], {
    env: { EVENT_LOOP_FILE: blockingFile },
  });
}

/** Starts a hostile client and waits until its body is ready. */
async function startSender(gateway: Child, format: Format, hostile: HostileBody): Promise<ChildProcess> {
  const program = fileURLToPath(new URL("hostile/sender.ts", import.meta.url));
  const sender = fork(program, [gateway.url, format.name, hostile.name]);
  await new Promise((resolve) => sender.once("message", resolve));
  return sender;
}

async function measureBody(gateway: Child, sender: ChildProcess): Promise<(string | number)[]> {
  await sendOthers(gateway, { count: WARM_UP });
  const before = rssMiB(gateway);
  process.kill(gateway.pid, "SIGUSR2");
  writeFileSync(blockingFile, "0");
  let peak = before;
  const sampling = setInterval(() => {
    peak = Math.max(peak, rssMiB(gateway));
  }, SAMPLE_MS);
  const answers: HostileAnswer[] = [];
  const first = new Promise<void>((resolve) => {
    sender.on("message", (answer: HostileAnswer) => {
      answers.push(answer);
      resolve();
    });
  });
  sender.send("begin");
  const times = await sendOthers(gateway, { count: OTHERS, until: first });
  const stopped = new Promise((resolve) => sender.once("exit", resolve));
  sender.kill();
  await stopped;
  clearInterval(sampling);
  await sendOthers(gateway, { count: SETTLE_MS / PACE_MS });
  const at = (share: number) => (times[Math.floor((times.length - 1) * share)] ?? 0).toFixed(1);
  const { status = "", tookMs = 0 } = answers[0] ?? {};
  const blockedMs = readFileSync(blockingFile, "utf8");
  const rss = [before, peak, rssMiB(gateway)];
  return [status, Math.round(tookMs), answers.length, at(0.5), at(0.99), at(1), blockedMs, ...rss];
}

interface Others {
  readonly count: number;
  /** Continue at least until this resolves. @default only the count matters */
  readonly until?: Promise<void>;
}

/** Sends small requests at a fixed rate, without waiting for responses. Returns the sorted response times. */
async function sendOthers(gateway: Child, { count, until = Promise.resolve() }: Others): Promise<number[]> {
  const pool = new Pool(gateway.url, { connections: 64 });
  let isOver = false;
  void until.then(() => {
    isOver = true;
  });
  const requests: Promise<number>[] = [];
  for (const from = performance.now(); requests.length < count || !isOver; ) {
    requests.push(timeOne(pool));
    await waitFor(Math.max(0, from + requests.length * PACE_MS - performance.now()));
  }
  const times = await Promise.all(requests);
  await pool.close();
  return times.sort((a, b) => a - b);
}

async function timeOne(pool: Pool): Promise<number> {
  const from = performance.now();
  const answer = await pool.request({
    path: "/v1/chat/completions",
    method: "POST",
    headers: { "content-type": "application/json" },
    body: SMALL,
  });
  await answer.body.dump();
  return performance.now() - from;
}

function rssMiB({ pid }: Child): number {
  const pages = Number(readFileSync(`/proc/${pid}/statm`, "utf8").split(" ")[1]);
  return Math.round((pages * PAGE_BYTES) / MIB);
}

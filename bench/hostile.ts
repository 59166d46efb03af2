// How long others wait while one client sends hostile bodies, and what they cost in memory.
// npm run bench:hostile [-- --root <another checkout>] [-- --format gemini] [-- --only "62 MB"]

import { readFileSync } from "node:fs";
import { request as startRequest } from "node:http";
import { setTimeout as waitFor } from "node:timers/promises";
import { fileURLToPath } from "node:url";
import { parseArgs } from "node:util";
import { Pool } from "undici";
import { type Child, startChild } from "./gateway/children.ts";
import { FORMATS, type Format, type HostileBody, hostileBodies } from "./hostile/bodies.ts";

/** How long others are watched at least, and how long memory has to come back. */
const WATCH_MS = 2_000;
const SETTLE_MS = Number(process.env.SETTLE_MS ?? 3_000);
/** A hostile request that takes longer is left alone. */
const PATIENCE_MS = 60_000;
const HALF_MS = 2_000;
/** How often one of the others sends a request. */
const PACE_MS = 20;
const MIB = 1024 * 1024;
const PAGE_BYTES = 4_096;
/** The request of the others. */
const SMALL = JSON.stringify({ model: "gpt-4o", messages: [{ role: "user", content: "hello" }] });

const { values } = parseArgs({
  options: {
    root: { type: "string", default: fileURLToPath(new URL("..", import.meta.url)) },
    format: { type: "string", default: "" },
    only: { type: "string", default: "" },
  },
});

const mock = await startChild([fileURLToPath(new URL("gateway/mock-upstream.ts", import.meta.url))]);
try {
  for (const format of FORMATS.filter(({ name }) => name.includes(values.format))) await measureFormat(format);
} finally {
  mock.stop();
}

async function measureFormat(format: Format): Promise<void> {
  process.stdout.write(`\n${format.name}: others' waiting in ms, memory in MiB\n`);
  const rows: Record<string, Row> = {};
  for (const hostile of hostileBodies(format)) {
    if (!hostile.name.includes(values.only)) continue;
    const gateway = await startChild([`${values.root}/bench/gateway/longhaul.ts`, mock.url, "manage"]);
    try {
      const row = await measureBody(gateway, format, hostile);
      process.stderr.write(`${hostile.name}: ${JSON.stringify(row)}\n`);
      rows[hostile.name] = row;
    } finally {
      gateway.stop();
    }
  }
  console.table(rows);
}

interface Row {
  readonly answer: string;
  readonly "took ms": number;
  readonly "others p50": number;
  readonly "others p99": number;
  readonly "others max": number;
  readonly "RSS before": number;
  readonly peak: number;
  readonly after: number;
}

async function measureBody(gateway: Child, format: Format, hostile: HostileBody): Promise<Row> {
  await watchOthers(gateway, waitFor(500));
  const before = rssMiB(gateway);
  let peak = before;
  const sampling = setInterval(() => {
    peak = Math.max(peak, rssMiB(gateway));
  }, 20);
  const from = performance.now();
  let answer = "";
  let tookMs = 0;
  const hostileRun = sendHostile(gateway, format, hostile).then((said) => {
    answer = said;
    tookMs = performance.now() - from;
  });
  const times = await watchOthers(gateway, Promise.all([hostileRun, waitFor(WATCH_MS)]));
  clearInterval(sampling);
  await waitFor(SETTLE_MS);
  await watchOthers(gateway, waitFor(SETTLE_MS));
  const at = (share: number) => Number((times[Math.floor((times.length - 1) * share)] ?? 0).toFixed(1));
  return {
    answer,
    "took ms": Math.round(tookMs),
    "others p50": at(0.5),
    "others p99": at(0.99),
    "others max": at(1),
    "RSS before": before,
    peak,
    after: rssMiB(gateway),
  };
}

/** Small requests at a steady pace, whether the ones before were answered or not, until something has happened; how long each took, sorted. */
async function watchOthers(gateway: Child, until: Promise<unknown>): Promise<number[]> {
  const pool = new Pool(gateway.url, { connections: 64 });
  const times: number[] = [];
  const underWay = new Set<Promise<void>>();
  const shoot = () => {
    const shot = timeOne(pool).then((ms) => {
      times.push(ms);
      underWay.delete(shot);
    });
    underWay.add(shot);
  };
  const pacing = setInterval(shoot, PACE_MS);
  await until;
  clearInterval(pacing);
  await Promise.all(underWay);
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

/** Sends a body and says how it was answered. */
function sendHostile(gateway: Child, format: Format, hostile: HostileBody): Promise<string> {
  return new Promise((resolve) => {
    const sent = startRequest(`${gateway.url}${format.path}`, {
      method: "POST",
      headers: {
        "content-type": "application/json",
        "content-length": hostile.body.length * (hostile.isHalf === true ? 2 : 1),
        ...format.headers,
        ...hostile.headers,
      },
    });
    const giveUp = setTimeout(
      () => sent.destroy(new Error("no answer")),
      hostile.isHalf === true ? HALF_MS : PATIENCE_MS,
    );
    const done = (said: string) => {
      clearTimeout(giveUp);
      resolve(said);
    };
    sent.on("response", (answer) => {
      answer.on("error", () => done("cut"));
      answer.resume().on("end", () => done(`${answer.statusCode}`));
    });
    sent.on("error", (error) => done(error.message));
    sent.write(hostile.body);
    if (hostile.isHalf !== true) sent.end();
  });
}

function rssMiB({ pid }: Child): number {
  const pages = Number(readFileSync(`/proc/${pid}/statm`, "utf8").split(" ")[1]);
  return Math.round((pages * PAGE_BYTES) / MIB);
}

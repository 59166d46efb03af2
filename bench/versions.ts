// Compares the gateway of this checkout with that of another one: `npm run bench:versions -- ../other`. Both answer in turns within every
// round; a ratio above 1 means that this checkout is faster. `--only "4 MB"` compares the cases with that in their name.

import { parseArgs } from "node:util";
import { anthropicBody, chatBody, SIZES } from "./gateway/bodies.ts";
import { type Child, startChild } from "./gateway/children.ts";
import { burst, type Shot } from "./gateway/load.ts";

const { positionals, values } = parseArgs({
  allowPositionals: true,
  options: {
    rounds: { type: "string", default: "10" },
    seconds: { type: "string", default: "0.8" },
    only: { type: "string", default: "" },
  },
});
const [other] = positionals;
if (other === undefined) throw new Error("name the folder of another checkout, with its packages installed");
const ROUNDS = Number(values.rounds);
const SECONDS = Number(values.seconds);
const CONCURRENCY = 16;

/** Student's t for 95 %, by degrees of freedom from 1 on; the last one for all that follow. */
const T_95 = [
  12.71, 4.3, 3.18, 2.78, 2.57, 2.45, 2.36, 2.31, 2.26, 2.23, 2.2, 2.18, 2.16, 2.14, 2.13, 2.12, 2.11, 2.1, 2.09, 1.98,
];

/** The kinds of requests that each version answers. */
const JOBS = [
  { name: "same format", mode: "off", path: "/v1/chat/completions", headers: {}, bodyOf: chatBody },
  { name: "context managed", mode: "manage", path: "/v1/chat/completions", headers: {}, bodyOf: chatBody },
  {
    name: "translated",
    mode: "off",
    path: "/v1/messages",
    headers: { "anthropic-version": "2023-06-01", "x-api-key": "k" },
    bodyOf: anthropicBody,
  },
];

const CASES = [false, true]
  .flatMap((stream) =>
    SIZES.flatMap(([label, bytes]) =>
      JOBS.map((job) => ({
        name: `${job.name}, ${label}, ${stream ? "200 events" : "whole"}`,
        job,
        ask: { bytes, stream },
      })),
    ),
  )
  .filter(({ name }) => name.includes(values.only));

/** The gateway of one checkout, by what it does with the context. */
type Version = ReadonlyMap<string, Child>;

const mock = await startChild([new URL("gateway/mock-upstream.ts", import.meta.url).pathname]);
const versions = [await startVersion(new URL("..", import.meta.url).pathname), await startVersion(other)];
try {
  const rows: Record<string, Record<string, string>> = {};
  for (const { name, job, ask } of CASES) {
    process.stderr.write(`\r${name}                    `);
    rows[name] = await compare((child) => shotAt(child, job, ask), job.mode);
  }
  process.stderr.write("\r");
  process.stdout.write(`this checkout / ${other}, ${ROUNDS} rounds of ${SECONDS} s each, mean and 95 % interval\n`);
  console.table(rows);
} finally {
  for (const child of [mock, ...versions.flatMap((version) => [...version.values()])]) child.stop();
}

async function startVersion(folder: string): Promise<Version> {
  const program = `${folder}/bench/gateway/longhaul.ts`;
  const managing = await startChild([program, mock.url, "manage"], { cwd: folder });
  return new Map([
    ["off", await startChild([program, mock.url], { cwd: folder })],
    ["manage", managing],
  ]);
}

function shotAt(
  { url }: Child,
  { path, headers, bodyOf }: (typeof JOBS)[number],
  { bytes, stream }: { readonly bytes: number; readonly stream: boolean },
): Shot {
  return { url, path, headers: { ...headers }, body: bodyOf(bytes, stream) };
}

/** How many requests a version answered per second, and per second of its processor time. */
interface Pace {
  readonly perSecond: number;
  readonly perCpuSecond: number;
}

async function compare(shotOf: (child: Child) => Shot, mode: string): Promise<Record<string, string>> {
  const [ours, theirs] = versions.map((version) => version.get(mode));
  if (ours === undefined || theirs === undefined) throw new Error(`no gateway runs in the mode ${mode}`);
  for (const child of [ours, theirs]) await pace(child, shotOf(child));
  const rounds: { ours: Pace; theirs: Pace }[] = [];
  for (let round = 0; round < ROUNDS; round++) {
    // Whoever goes first meets a machine that rested; so both do, in turns.
    const first = round % 2 === 0 ? ours : theirs;
    const second = first === ours ? theirs : ours;
    const paces = [await pace(first, shotOf(first)), await pace(second, shotOf(second))] as const;
    rounds.push(first === ours ? { ours: paces[0], theirs: paces[1] } : { ours: paces[1], theirs: paces[0] });
  }
  return {
    "requests/s": intervalOf(rounds.map((round) => round.ours.perSecond / round.theirs.perSecond)),
    "requests/CPU s": intervalOf(rounds.map((round) => round.ours.perCpuSecond / round.theirs.perCpuSecond)),
  };
}

async function pace(child: Child, shot: Shot): Promise<Pace> {
  const before = child.cpuMs();
  const { count, perSecond, failures } = await burst(shot, SECONDS, CONCURRENCY);
  if (failures > 0) throw new Error(`${failures} of ${count} requests failed at ${shot.url}${shot.path}`);
  return { perSecond, perCpuSecond: (1_000 * count) / (child.cpuMs() - before) };
}

/** The geometric mean of ratios, and its 95 % interval. */
function intervalOf(ratios: readonly number[]): string {
  const logs = ratios.map(Math.log);
  const mean = logs.reduce((sum, log) => sum + log, 0) / logs.length;
  const variance = logs.reduce((sum, log) => sum + (log - mean) ** 2, 0) / Math.max(1, logs.length - 1);
  const t = T_95[Math.min(T_95.length, Math.max(1, logs.length - 1)) - 1] ?? 2;
  const half = t * Math.sqrt(variance / logs.length);
  const at = (log: number) => Math.exp(log).toFixed(2);
  return `${at(mean)} (${at(mean - half)}–${at(mean + half)})`;
}

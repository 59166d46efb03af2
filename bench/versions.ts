// Compares the gateway of this checkout with another checkout's: `npm run bench:versions -- ../other`. Both are started several times, warmed
// up, and take turns within every round; a ratio above 1 means that this checkout is faster. `--only "4 MB"` selects the cases with that in
// their name.
import { parseArgs } from "node:util";
import { Pool } from "undici";
import { type Child, startChild } from "./gateway/children.ts";
import { anthropicBody, burst, chatBody, type LoadRequest, median, SIZES } from "./gateway/load.ts";

const { positionals, values } = parseArgs({
  allowPositionals: true,
  options: {
    starts: { type: "string", default: "6" },
    rounds: { type: "string", default: "10" },
    seconds: { type: "string", default: "0.15" },
    warm: { type: "string", default: "1.5" },
    only: { type: "string", default: "" },
  },
});
const [other] = positionals;
if (other === undefined) throw new Error("pass the folder of another checkout with its packages installed");
/** Two processes of the same version differ by up to a fifth for as long as they run, so each start gives one ratio. */
const STARTS = Number(values.starts);
const ROUNDS = Number(values.rounds);
const SECONDS = Number(values.seconds);
/** Seconds of warm-up per version and case: compiled code is several times as fast. */
const WARM_SECONDS = Number(values.warm);
const CONCURRENCY = 16;
/** 95% of a normal distribution lies within this many standard deviations. */
const Z_95 = 1.96;

/** The kinds of requests to compare. */
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

interface Gateway extends Child {
  readonly pool: Pool;
}

/** The gateways of one checkout by mode. */
type Version = ReadonlyMap<string, Gateway>;

const mock = await startChild([new URL("gateway/mock-upstream.ts", import.meta.url).pathname]);
try {
  const found = new Map<string, Ratios[]>(CASES.map(({ name }) => [name, []]));
  for (let start = 1; start <= STARTS; start++) await compareOnce(found, `start ${start} of ${STARTS}`);
  process.stdout.write(
    `this checkout / ${other}, ${STARTS} starts with ${ROUNDS} rounds of ${SECONDS} s each, median and 95% interval of the starts\n`,
  );
  console.table(Object.fromEntries([...found].map(([name, ratios]) => [name, rowOf(ratios)])));
} finally {
  mock.stop();
}

/** Starts both versions and adds one ratio to each case. */
async function compareOnce(found: ReadonlyMap<string, Ratios[]>, label: string): Promise<void> {
  const versions = [await startVersion(new URL("..", import.meta.url).pathname), await startVersion(other ?? "")];
  try {
    for (const { name, job, ask } of CASES) {
      process.stderr.write(`\r${label}, warming up: ${name}                    `);
      for (const child of pairOf(versions, job.mode)) await pace(child, shotAt(child, job, ask), WARM_SECONDS);
    }
    for (const { name, job, ask } of CASES) {
      process.stderr.write(`\r${label}: ${name}                              `);
      found.get(name)?.push(await compare((child) => shotAt(child, job, ask), pairOf(versions, job.mode)));
    }
    process.stderr.write("\r");
  } finally {
    const gateways = versions.flatMap((version) => [...version.values()]);
    for (const { pool } of gateways) await pool.destroy();
    for (const gateway of gateways) gateway.stop();
  }
}

async function startVersion(folder: string): Promise<Version> {
  const program = `${folder}/bench/gateway/longhaul.ts`;
  const start = async (mode: string): Promise<[string, Gateway]> => {
    const child = await startChild([program, mock.url, mode], { cwd: folder });
    return [mode, { ...child, pool: new Pool(child.url, { connections: CONCURRENCY }) }];
  };
  return new Map([await start("off"), await start("manage")]);
}

function shotAt(
  { url }: Child,
  { path, headers, bodyOf }: (typeof JOBS)[number],
  { bytes, stream }: { readonly bytes: number; readonly stream: boolean },
): LoadRequest {
  return { url, path, headers: { ...headers }, body: bodyOf(bytes, stream) };
}

/** Requests per second, and per second of CPU time. */
interface Pace {
  readonly perSecond: number;
  readonly perCpuSecond: number;
}

/** The ratios of one start. */
type Ratios = Readonly<Record<"requests/s" | "requests/CPU s", number>>;

async function compare(
  shotOf: (child: Gateway) => LoadRequest,
  [ours, theirs]: readonly [Gateway, Gateway],
): Promise<Ratios> {
  for (const child of [ours, theirs]) await pace(child, shotOf(child));
  const rounds: { ours: Pace; theirs: Pace }[] = [];
  for (let round = 0; round < ROUNDS; round++) {
    // The first to run gets a rested machine, so they alternate.
    const first = round % 2 === 0 ? ours : theirs;
    const second = first === ours ? theirs : ours;
    const paces = [await pace(first, shotOf(first)), await pace(second, shotOf(second))] as const;
    rounds.push(first === ours ? { ours: paces[0], theirs: paces[1] } : { ours: paces[1], theirs: paces[0] });
  }
  return {
    "requests/s": median(rounds.map((round) => round.ours.perSecond / round.theirs.perSecond)).middle,
    "requests/CPU s": median(rounds.map((round) => round.ours.perCpuSecond / round.theirs.perCpuSecond)).middle,
  };
}

/** Returns the gateways of both versions in one mode: this checkout's, then the other's. */
function pairOf(versions: readonly Version[], mode: string): readonly [ours: Gateway, theirs: Gateway] {
  const [ours, theirs] = versions.map((version) => version.get(mode));
  if (ours === undefined || theirs === undefined) throw new Error(`no gateway runs in mode ${mode}`);
  return [ours, theirs];
}

function rowOf(ratios: readonly Ratios[]): Record<string, string> {
  const column = (name: keyof Ratios) => intervalOf(ratios.map((each) => each[name]));
  return { "requests/s": column("requests/s"), "requests/CPU s": column("requests/CPU s") };
}

async function pace(child: Gateway, shot: LoadRequest, seconds = SECONDS): Promise<Pace> {
  const before = child.cpuMs();
  const { count, perSecond, failures } = await burst(shot, seconds, CONCURRENCY, child.pool);
  if (failures > 0) throw new Error(`${failures} of ${count} requests failed at ${shot.url}${shot.path}`);
  return { perSecond, perCpuSecond: (1_000 * count) / (child.cpuMs() - before) };
}

/**
 * Returns the median of ratios and its 95% interval by rank, which is valid for any distribution: a pause of the machine in one round would
 * distort a mean.
 */
function intervalOf(ratios: readonly number[]): string {
  const sorted = ratios.toSorted((a, b) => a - b);
  const middle = (sorted.length - 1) / 2;
  const half = (Z_95 * Math.sqrt(sorted.length)) / 2;
  const at = (rank: number) => (sorted[Math.min(sorted.length - 1, Math.max(0, rank))] ?? Number.NaN).toFixed(2);
  return `${median(ratios).middle.toFixed(2)} (${at(Math.floor(middle - half))}–${at(Math.ceil(middle + half))})`;
}

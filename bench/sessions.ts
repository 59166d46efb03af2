// Measures one gateway with many different growing sessions: CPU time per request, added latency and memory.
//   npm run bench:sessions                                   every case with 1 to 10,000 sessions; takes hours
//   npm run bench:sessions -- --sessions 1,20,300,1000       fewer sessions
//   npm run bench:sessions -- --only "received, same"        the cases with that in their name
//   npm run bench:sessions -- --quick                        short sessions, for comparisons of two versions
//   npm run bench:sessions -- --root <another checkout>      another version's gateway
import { mkdtempSync, rmSync } from "node:fs";
import { availableParallelism, tmpdir, totalmem } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { parseArgs } from "node:util";
import { type Child, startChild } from "./gateway/children.ts";
import { EXCHANGE_BYTES, type Format } from "./sessions/bodies.ts";
import { Client, quantile, type Sending, stopped } from "./sessions/client.ts";

const { values } = parseArgs({
  options: {
    root: { type: "string", default: fileURLToPath(new URL("..", import.meta.url)) },
    sessions: { type: "string", default: "1,20,300,1000,3000,10000" },
    only: { type: "string", default: "" },
    quick: { type: "boolean", default: false },
    kb: { type: "string" },
  },
});

/** Size of a session's first request. */
const SESSION_KB = Number(values.kb ?? (values.quick ? 120 : 456));
/** Condensed sessions exceed this window from the first request on. */
const SMALL_WINDOW_TOKENS = Math.round((SESSION_KB * 1024) / 4 / 2);
const LARGE_WINDOW_TOKENS = 4_000_000;
/** Later requests that are measured: at least one for each session, but not for thousands of them. */
const MAX_LATER = values.quick ? 400 : 2_000;
const MIN_LATER = values.quick ? 60 : 100;
/** Known sessions that are continued after a restart and at a second replica. */
const CONTINUED = 100;
const MIB = 1024 * 1024;

const STRATEGIES = [
  { name: "as received", strategy: "middle-out", windowTokens: LARGE_WINDOW_TOKENS },
  { name: "middle-out", strategy: "middle-out", windowTokens: SMALL_WINDOW_TOKENS },
  { name: "smart", strategy: "smart", windowTokens: SMALL_WINDOW_TOKENS },
];
const TRANSLATIONS: readonly { readonly name: string; readonly format: Format }[] = [
  { name: "same format", format: "chat" },
  { name: "translated", format: "messages" },
];
const CASES = STRATEGIES.flatMap((condensing) =>
  TRANSLATIONS.map(({ name, format }) => ({ ...condensing, name: `${condensing.name}, ${name}`, format })),
).filter(({ name }) => name.includes(values.only));
type Case = (typeof CASES)[number];

const HEADS = ["sessions", "first", "later", "p50", "p99", "max", "RSS", "restart", "replica"];
process.stdout.write(
  `${availableParallelism()} cores, ${Math.round(totalmem() / MIB / 1024)} GiB. Sessions of ${SESSION_KB} KB that grow by ${EXCHANGE_BYTES / 1024} KB per request.
first, later, restart, replica: CPU ms of the gateway per request. p50, p99, max: added latency of later requests in ms. RSS in MiB.\n\n`,
);
const upstream = await startChild([fileURLToPath(new URL("sessions/upstream.ts", import.meta.url))]);
try {
  for (const each of CASES) {
    printRow([each.name, ...HEADS.slice(1)]);
    printRow(HEADS.map(() => "--:"));
    for (const count of values.sessions.split(",").map(Number)) printRow([count, ...(await measure(each, count))]);
    process.stdout.write("\n");
  }
} finally {
  upstream.stop();
}

function printRow(cells: readonly (string | number)[]): void {
  const [first = "", ...others] = cells;
  process.stdout.write(`| ${[`${first}`.padEnd(24), ...others.map((cell) => `${cell}`.padStart(7))].join(" | ")} |\n`);
}

async function measure(each: Case, count: number): Promise<string[]> {
  const folder = mkdtempSync(join(tmpdir(), "sessions-"));
  const start = () => startGateway(each, join(folder, "store.db"));
  const client = new Client({ format: each.format, sessionKb: SESSION_KB, upstream }, await start());
  try {
    await client.warmUp();
    const first = await client.measure(count, (at) => ({ session: at, turn: 0 }));
    const total = Math.min(MAX_LATER, Math.max(MIN_LATER, count * 2));
    const turnOf = (request: number) => ({ session: request % count, turn: 1 + Math.floor(request / count) });
    const later = await client.measure(total, turnOf);
    const rss = client.rssMiB();
    const next = (round: number) => (at: number) => {
      const { session, turn } = turnOf(total + at);
      return { session, turn: turn + round };
    };
    const others = await measureElsewhere(client, start, { count: Math.min(CONTINUED, count), next });
    const added = later.addedMs;
    const latency = [quantile(added, 0.5), quantile(added, 0.99), quantile(added, 1)];
    return [first.cpuMs, later.cpuMs, ...latency, rss, ...others].map((figure) =>
      figure.toFixed(figure >= 100 ? 0 : 1),
    );
  } finally {
    await client.close();
    rmSync(folder, { recursive: true });
  }
}

interface Continuing {
  readonly count: number;
  readonly next: (round: number) => (at: number) => Sending;
}

/** Continues known sessions at a second gateway on the same store, then at a gateway that was started after the first had stopped. */
async function measureElsewhere(client: Client, start: () => Promise<Child>, { count, next }: Continuing) {
  const replica = await start();
  const atReplica = await client.at(replica, async () => {
    await client.warmUp();
    return await client.measure(count, next(0));
  });
  await stopped(replica);
  await stopped(client.gateway);
  const again = await start();
  client.gateway = again;
  await client.warmUp();
  const restarted = await client.measure(count, next(1));
  return [restarted.cpuMs, atReplica.cpuMs];
}

async function startGateway({ strategy, windowTokens }: Case, path: string): Promise<Child> {
  const more = {
    upstreams: {
      mock: { kind: "openai-compatible", baseUrl: `${upstream.url}/v1`, apiKey: "k", window: windowTokens },
    },
    context: { mode: "on", strategy },
    store: { path },
  };
  const program = `${values.root}/bench/gateway/longhaul.ts`;
  return await startChild([program, upstream.url, "manage", JSON.stringify(more)], { cwd: values.root });
}

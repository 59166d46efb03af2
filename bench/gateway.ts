// Compares requests per second, added latency and CPU time per request of the gateway with a direct call, a bare pass-through proxy and
// Portkey.
import { execFileSync } from "node:child_process";
import { existsSync } from "node:fs";
import { setTimeout as waitFor } from "node:timers/promises";
import { fileURLToPath } from "node:url";
import { type Child, startChild } from "./gateway/children.ts";
import { anthropicBody, type Burst, burst, chatBody, type LoadRequest, median, SIZES } from "./gateway/load.ts";

const here = (path: string) => fileURLToPath(new URL(`gateway/${path}`, import.meta.url));
const PORTKEY_PORT = 18_787;
const ROUNDS = Number(process.env.ROUNDS ?? 5);
const CONCURRENCY = 16;
/** Seconds of warm-up for each contender, then per round of concurrent requests and of sequential ones. */
const WARM_UP_SECONDS = 1;
const CROWD_SECONDS = 1.5;
const ALONE_SECONDS = 0.25;

interface Contender {
  readonly name: string;
  readonly child: Child;
  shot(bytes: number, stream: boolean): LoadRequest;
}

const mock = await startChild([here("mock-upstream.ts")]);
const bare = await startChild([here("bare-proxy.ts"), mock.url]);
const ours = await startChild([here("longhaul.ts"), mock.url]);
const managing = await startChild([here("longhaul.ts"), mock.url, "manage"]);
const portkey = await startPortkey();

const chat = (child: Child, name: string, headers: Record<string, string> = {}): Contender => ({
  name,
  child,
  shot: (bytes, stream) => ({ url: child.url, path: "/v1/chat/completions", headers, body: chatBody(bytes, stream) }),
});

const contenders: Contender[] = [
  chat(mock, "direct"),
  chat(bare, "bare pass-through"),
  chat(ours, "longhaul, same format"),
  chat(managing, "longhaul, context managed"),
  {
    name: "longhaul, translated",
    child: ours,
    shot: (bytes, stream) => ({
      url: ours.url,
      path: "/v1/messages",
      headers: { "anthropic-version": "2023-06-01", "x-api-key": "k" },
      body: anthropicBody(bytes, stream),
    }),
  },
  ...(portkey === undefined
    ? []
    : [
        chat(portkey, "portkey", {
          "x-portkey-provider": "openai",
          "x-portkey-custom-host": `${mock.url}/v1`,
          authorization: "Bearer k",
        }),
      ]),
];

try {
  for (const stream of [false, true]) for (const [label, bytes] of SIZES) await compare({ label, bytes, stream });
} finally {
  for (const child of [mock, bare, ours, managing, portkey]) child?.stop();
}

interface Comparison {
  readonly label: string;
  readonly bytes: number;
  readonly stream: boolean;
}

/** One contender's results in one round. */
interface Round {
  readonly crowd: Burst;
  readonly alone: Burst;
  readonly cpuMs: number;
}

async function compare({ label, bytes, stream }: Comparison): Promise<void> {
  const rounds = new Map<string, Round[]>(contenders.map(({ name }) => [name, []]));
  for (const contender of contenders) await burst(contender.shot(bytes, stream), WARM_UP_SECONDS, CONCURRENCY);
  for (let round = 0; round < ROUNDS; round++) {
    process.stderr.write(`\r${label} ${stream ? "streaming" : "whole"}: round ${round + 1} of ${ROUNDS}   `);
    for (const contender of contenders) rounds.get(contender.name)?.push(await ask(contender, bytes, stream));
  }
  process.stderr.write("\r");
  process.stdout.write(`\n${label}, ${stream ? "200 events" : "one JSON answer"} (${ROUNDS} rounds)\n`);
  console.table(Object.fromEntries([...rounds].map(([name, all]) => [name, rowOf(all, rounds)])));
}

async function ask({ child, shot }: Contender, bytes: number, stream: boolean): Promise<Round> {
  const one = shot(bytes, stream);
  const before = child.cpuMs();
  const crowd = await burst(one, CROWD_SECONDS, CONCURRENCY);
  const cpuMs = (child.cpuMs() - before) / crowd.count;
  return { crowd, cpuMs, alone: await burst(one, ALONE_SECONDS, 1) };
}

/** Returns a contender's row. Ratios are taken within each round, because the machine's speed changes between rounds. */
function rowOf(all: readonly Round[], rounds: ReadonlyMap<string, readonly Round[]>): Record<string, number | string> {
  const rate = median(all.map(({ crowd }) => crowd.perSecond));
  const alone = median(all.map(({ alone: { p50Ms } }) => p50Ms)).middle;
  const direct = median((rounds.get("direct") ?? []).map(({ alone: { p50Ms } }) => p50Ms)).middle;
  return {
    "requests/s": Math.round(rate.middle),
    "± %": Math.round(rate.spreadPercent),
    "× portkey": timesOf(all, rounds.get("portkey")),
    "× bare": timesOf(all, rounds.get("bare pass-through")),
    "CPU ms/request": rounded(median(all.map(({ cpuMs }) => cpuMs)).middle),
    "added p50 ms": rounded(alone - direct),
    "p99 ms": rounded(median(all.map(({ alone: { p99Ms } }) => p99Ms)).middle),
    failures: all.reduce((sum, { crowd, alone: { failures } }) => sum + crowd.failures + failures, 0),
  };
}

/** The median ratio of requests per second, and its spread. */
function timesOf(all: readonly Round[], others: readonly Round[] | undefined): string {
  if (others === undefined) return "–";
  const ratios = all.map(({ crowd }, round) => crowd.perSecond / (others[round]?.crowd.perSecond ?? Number.NaN));
  const { middle, spreadPercent } = median(ratios);
  return `${middle.toFixed(2)} ± ${Math.round(spreadPercent)}%`;
}

function rounded(value: number): number {
  return Number(value.toFixed(2));
}

/** Starts Portkey, installed once into the cache folder; if that fails, it is left out. */
async function startPortkey(): Promise<Child | undefined> {
  const folder = fileURLToPath(new URL("../.cache/portkey", import.meta.url));
  try {
    if (!existsSync(`${folder}/node_modules/@portkey-ai/gateway`)) installPortkey(folder);
    const child = await startChild(
      [`${folder}/node_modules/@portkey-ai/gateway/build/start-server.js`, "--headless", `--port=${PORTKEY_PORT}`],
      {
        cwd: folder,
        port: PORTKEY_PORT,
      },
    );
    for (let tries = 0; tries < 50; tries++) {
      const isUp = await fetch(child.url).then(
        () => true,
        () => false,
      );
      if (isUp) return child;
      await waitFor(100);
    }
    child.stop();
  } catch (error) {
    console.error(`Portkey is left out: ${error instanceof Error ? error.message : String(error)}`);
  }
  return undefined;
}

function installPortkey(folder: string): void {
  console.error("installing Portkey into .cache (once)");
  const overrides = { "@hono/node-server": "1.13.5", hono: "4.9.7" };
  execFileSync(process.execPath, [
    "-e",
    `require("fs").mkdirSync(${JSON.stringify(folder)},{recursive:true});require("fs").writeFileSync(${JSON.stringify(`${folder}/package.json`)},${JSON.stringify(JSON.stringify({ private: true, overrides }))})`,
  ]);
  execFileSync("npm", ["install", "--ignore-scripts", "--no-audit", "--no-fund", "@portkey-ai/gateway@1.15.2"], {
    cwd: folder,
    stdio: "inherit",
  });
}

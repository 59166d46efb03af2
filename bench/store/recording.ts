import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { openPostgresServer } from "@longhaul/store/testing";
import { type Child, startChild } from "../gateway/children.ts";
import { burst, type LoadRequest, median } from "../gateway/load.ts";
import { printTable } from "../tokens/table.ts";

const here = (path: string) => fileURLToPath(new URL(`../gateway/${path}`, import.meta.url));
const ROUNDS = Number(process.env.ROUNDS ?? 9);
const CONCURRENCY = 16;
const WARM_UP_SECONDS = 2;
const SECONDS = 2;
const SIZES = [
  ["1 KB", 1_000],
  ["40 KB", 40_000],
] as const;

/** A gateway and its requests per second in each round. */
interface Contender {
  readonly name: string;
  readonly child: Child;
  readonly rates: number[];
  readonly cpuMs: number[];
}

/** Measures requests per second of gateways that record every request, each next to one that records none; rounds are interleaved. */
export async function measureRecording(folder: string): Promise<void> {
  const postgres = await openPostgresServer();
  const mock = await startChild([here("mock-upstream.ts")]);
  const start = (config: object) => startChild([here("longhaul.ts"), mock.url, "manage", JSON.stringify(config)]);
  const file = (name: string) => ({ path: join(folder, `${name}.db`) });
  const database = async () => ({ url: await postgres.createDatabase() });
  const off = { enabled: false };
  const children: readonly (readonly [string, Child])[] = [
    ["SQLite, not recording", await start({ store: file("off"), events: off })],
    ["SQLite, recording", await start({ store: file("on") })],
    ["PostgreSQL, not recording", await start({ store: await database(), events: off })],
    ["PostgreSQL, recording", await start({ store: await database() })],
  ];
  try {
    for (const [label, bytes] of SIZES) {
      const contenders = children.map(([name, child]): Contender => ({ name, child, rates: [], cpuMs: [] }));
      await compare(contenders, bytes);
      print(label, contenders);
    }
    await checkKept(children);
  } finally {
    for (const [, child] of children) child.stop();
    mock.stop();
    await postgres.close();
  }
}

async function compare(contenders: readonly Contender[], bytes: number): Promise<void> {
  for (const { child } of contenders) await burst(shotAt(child, bytes), WARM_UP_SECONDS, CONCURRENCY);
  for (let round = 0; round < ROUNDS; round++) {
    for (const { child, rates, cpuMs } of contenders) {
      const before = child.cpuMs();
      const { perSecond, count, failures } = await burst(shotAt(child, bytes), SECONDS, CONCURRENCY);
      if (failures > 0) throw new Error(`${failures} requests failed`);
      rates.push(perSecond);
      cpuMs.push((child.cpuMs() - before) / count);
    }
  }
}

function shotAt({ url }: Child, bytes: number): LoadRequest {
  const messages = [{ role: "user", content: "The quick brown fox. ".repeat(Math.ceil(bytes / 21)) }];
  return {
    url,
    path: "/v1/chat/completions",
    headers: {},
    body: Buffer.from(JSON.stringify({ model: "gpt-4o", messages })),
  };
}

/** Ratios are taken within each round, because the machine's speed changes between rounds. */
function print(label: string, contenders: readonly Contender[]): void {
  const rows = contenders.map(({ name, rates, cpuMs }, index) => {
    const beside = contenders[index - (index % 2)];
    return [
      name,
      Math.round(median(rates).middle).toLocaleString("en"),
      formatShare(rates, beside?.rates),
      median(cpuMs).middle.toFixed(3),
      formatShare(cpuMs, beside?.cpuMs),
    ];
  });
  const headings = ["gateway", "requests/s", "of not recording", "CPU ms/request", "of not recording"];
  printTable(`Gateways that record requests, ${label} each (${ROUNDS} rounds)`, headings, rows);
}

function formatShare(figures: readonly number[], base: readonly number[] = []): string {
  const { middle, spreadPercent } = median(figures.map((figure, round) => figure / (base[round] ?? Number.NaN)));
  return `${(middle * 100).toFixed(1)}% ± ${spreadPercent.toFixed(1)}`;
}

/** Reports dropped events, because dropping is free. */
async function checkKept(children: readonly (readonly [string, Child])[]): Promise<void> {
  for (const [name, { url }] of children) {
    const text = await (await fetch(`${url}/metrics`)).text();
    const dropped = /^longhaul_events_dropped (\d+)$/m.exec(text)?.[1];
    process.stdout.write(`${name}: ${dropped} events dropped\n`);
  }
}

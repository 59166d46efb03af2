import { createHash } from "node:crypto";
import { join } from "node:path";
import { PROJECTION_VERSION } from "@longhaul/condense/advanced";
import { textBlock } from "@longhaul/conversation";
import { type Epoch, type EventBatch, openStore, type Store } from "@longhaul/store";
import { makeRequestEvent, openPostgresServer } from "@longhaul/store/testing";
import { printTable, quantile } from "../tokens/table.ts";

const ROUNDS = Number(process.env.ROUNDS ?? 15);
const CALLS = 50;
/** Epochs of other conversations in the same scope. */
const OTHERS = 5_000;
/** A summary of about 4,000 tokens. */
const SUMMARY_CHARS = 16_000;
const BATCH = 500;

/** The time of one call, and this thread's CPU time in it, in milliseconds. */
interface Times {
  readonly passedMs: number[];
  readonly usedMs: number[];
}

/** Measures a gateway's calls to a SQLite file and to a PostgreSQL server on the same machine. */
export async function measureCalls(folder: string): Promise<void> {
  const postgres = await openPostgresServer();
  try {
    const stores: Record<string, Store> = {
      SQLite: await openStore({ path: join(folder, "calls.db"), nowMs: Date.now }),
      PostgreSQL: await openStore({ url: await postgres.createDatabase(), nowMs: Date.now }),
    };
    const cases: Record<string, () => Promise<unknown>> = {};
    for (const [name, store] of Object.entries(stores)) {
      await fill(store);
      for (const [call, run] of Object.entries(callsOf(store))) cases[`${name}: ${call}`] = run;
    }
    print(await measure(cases));
    for (const store of Object.values(stores)) await store.close();
  } finally {
    await postgres.close();
  }
}

async function fill({ epochs }: Store): Promise<void> {
  for (let index = 0; index < OTHERS; index++) await epochs.put(makeEpoch(`other ${index}`, index % 500));
  for (const index of [300, 600, 900]) await epochs.put(makeEpoch(`message ${index}`, index));
}

function callsOf({ epochs, events }: Store): Record<string, () => Promise<unknown>> {
  const prefixes = Array.from({ length: 1_000 }, (_, index) => hash(`message ${index}`));
  const unknown = prefixes.map((prefix) => hash(prefix));
  let made = 0;
  return {
    "find by 10 prefixes, 1 found": () => epochs.find("scope", prefixes.slice(296, 306)),
    "find by 1,000 prefixes, 3 found": () => epochs.find("scope", prefixes),
    "find by 1,000 prefixes, none found": () => epochs.find("scope", unknown),
    "put a summary of 16,000 characters": () => epochs.put(makeEpoch(`put ${made++}`, 100)),
    [`add ${BATCH} events`]: () => events.add(makeBatch(made++)),
  };
}

/** Interleaves rounds, so that a busy machine affects all cases. */
async function measure(cases: Record<string, () => Promise<unknown>>): Promise<Map<string, Times>> {
  const times = new Map(Object.keys(cases).map((name): [string, Times] => [name, { passedMs: [], usedMs: [] }]));
  for (let round = 0; round < ROUNDS; round++) {
    for (const [name, call] of Object.entries(cases)) {
      const before = process.threadCpuUsage();
      const calls = name.includes(" events") ? 1 : CALLS;
      for (let index = 0; index < calls; index++) {
        const startedMs = performance.now();
        await call();
        times.get(name)?.passedMs.push(performance.now() - startedMs);
      }
      const { user, system } = process.threadCpuUsage(before);
      times.get(name)?.usedMs.push((user + system) / 1_000 / calls);
    }
  }
  return times;
}

function print(times: ReadonlyMap<string, Times>): void {
  const format = (ms: number) => ms.toFixed(2);
  const rows = [...times].map(([name, { passedMs, usedMs }]) => [
    name,
    format(quantile(passedMs)),
    format(quantile(passedMs, 0.99)),
    format(quantile(usedMs)),
  ]);
  const title = `A store with ${OTHERS.toLocaleString("en")} other epochs, ms per call`;
  printTable(title, ["call", "p50", "p99", "CPU of the gateway's thread"], rows);
}

function makeEpoch(name: string, messages: number): Epoch {
  const message = { role: "user", blocks: [textBlock(name.repeat(SUMMARY_CHARS / name.length))] } as const;
  return {
    scope: "scope",
    prefix: hash(name),
    bound: "",
    evidence: { head: "", through: messages, messages: Array.from({ length: messages }, () => "") },
    tenant: "tenant",
    session: name,
    upstream: "upstream",
    model: "model",
    strategy: "native",
    from: 0,
    projection: { version: PROJECTION_VERSION, messages, entries: [{ kind: "made", from: 0, to: messages, message }] },
    isPlaceholder: false,
    tokensBefore: 180_000,
    tokensAfter: 20_000,
    targetTokens: 100_000,
    costUsd: 0.01,
    madeAtMs: Date.now(),
  };
}

function makeBatch(number: number): EventBatch {
  const requests = Array.from({ length: BATCH }, (_, index) =>
    makeRequestEvent({ id: `${number}-${index}`, atMs: Date.now(), session: `session ${index % 50}` }),
  );
  return { requests, condensations: [] };
}

function hash(text: string): string {
  return createHash("sha256").update(text).digest("hex");
}

// How many epochs a store in a file takes and finds in a second, and what keeping every request costs a gateway. Rounds are interleaved, the
// median counts: `npm run bench:store`.
import { createHash } from "node:crypto";
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { PROJECTION_VERSION } from "@longhaul/condense";
import { textBlock } from "@longhaul/conversation";
import { type Epoch, openStore, type Store } from "@longhaul/store";
import { measureRecording } from "./store/recording.ts";
import { printTable, quantile } from "./tokens/table.ts";

const ROUNDS = 15;
const CALLS = 200;
/** Epochs of other conversations in the same scope. */
const OTHERS = 5_000;
/** A summary of about 4,000 tokens. */
const SUMMARY_CHARS = 16_000;

const folder = mkdtempSync(join(tmpdir(), "longhaul-bench-"));
try {
  await main(await openStore({ path: join(folder, "store.db"), nowMs: Date.now }));
  await measureRecording(folder);
} finally {
  rmSync(folder, { recursive: true });
}

async function main(store: Store): Promise<void> {
  for (let index = 0; index < OTHERS; index++) await store.epochs.put(makeEpoch(`other ${index}`, index % 500));
  const prefixes = Array.from({ length: 1_000 }, (_, index) => hash(`message ${index}`));
  for (const index of [300, 600, 900]) await store.epochs.put(makeEpoch(`message ${index}`, index));
  const unknown = prefixes.map((prefix) => hash(prefix));
  let puts = 0;
  const cases: Record<string, () => Promise<unknown>> = {
    "put, a summary of 16,000 characters": () => store.epochs.put(makeEpoch(`put ${puts++}`, 100)),
    "put again under the same prefix": () => store.epochs.put(makeEpoch("again", 100)),
    "find by 1,000 prefixes, 3 found": () => store.epochs.find("scope", prefixes),
    "find by 1,000 prefixes, none found": () => store.epochs.find("scope", unknown),
    "find by 10 prefixes, 1 found": () => store.epochs.find("scope", prefixes.slice(296, 306)),
  };
  const speeds = await measure(cases);
  const rows = [...speeds].map(([name, { passed, used }]) => [name, spell(quantile(passed)), spell(quantile(used))]);
  const headings = ["call", "per second", "per second of processor time"];
  printTable(`A store in a file with ${OTHERS.toLocaleString("en")} other epochs`, headings, rows);
  await store.close();
}

/** Calls per second, one entry for each round: by the time that passed, and by what of it this thread had the processor. */
interface Speed {
  readonly passed: number[];
  readonly used: number[];
}

async function measure(cases: Record<string, () => Promise<unknown>>): Promise<Map<string, Speed>> {
  const speeds = new Map(Object.keys(cases).map((name): [string, Speed] => [name, { passed: [], used: [] }]));
  for (let round = 0; round < ROUNDS; round++) {
    for (const [name, call] of Object.entries(cases)) {
      const before = process.threadCpuUsage();
      const startedMs = performance.now();
      for (let index = 0; index < CALLS; index++) await call();
      speeds.get(name)?.passed.push((CALLS * 1_000) / (performance.now() - startedMs));
      const { user, system } = process.threadCpuUsage(before);
      speeds.get(name)?.used.push((CALLS * 1_000_000) / (user + system));
    }
  }
  return speeds;
}

function spell(rate: number): string {
  return Math.round(rate).toLocaleString("en");
}

function makeEpoch(name: string, messages: number): Epoch {
  const message = { role: "user", blocks: [textBlock(name.repeat(SUMMARY_CHARS / name.length))] } as const;
  return {
    scope: "scope",
    prefix: hash(name),
    tenant: "tenant",
    session: name,
    upstream: "upstream",
    model: "model",
    strategy: "native",
    from: 0,
    projection: { version: PROJECTION_VERSION, messages, entries: [{ kind: "made", from: 0, to: messages, message }] },
    isStandIn: false,
    tokensBefore: 180_000,
    tokensAfter: 20_000,
    targetTokens: 100_000,
    costUsd: 0.01,
    madeAtMs: Date.now(),
  };
}

function hash(text: string): string {
  return createHash("sha256").update(text).digest("hex");
}

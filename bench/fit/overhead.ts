import { hash } from "node:crypto";
import { setTimeout as waitFor } from "node:timers/promises";
import { type Conversation, NO_USAGE } from "@longhaul/conversation/advanced";
import { decode, record } from "@longhaul/fit";
import { parseConfig } from "@longhaul/settings";
import { openStore } from "@longhaul/store";
import { splitBody } from "@longhaul/wire";
import { openSnapshot, type Snapshot } from "../../packages/gateway/src/configuration/snapshot.ts";
import { Caller } from "../../packages/gateway/src/keys/caller.ts";
import { type Memory, openMemory } from "../../packages/gateway/src/memory/memory.ts";
import { findEndpoint } from "../../packages/gateway/src/request/endpoints.ts";
import { openRecord } from "../../packages/gateway/src/request/request-record.ts";
import { encodeSync } from "../../packages/gateway/src/stages/encode.ts";
import { fitCall } from "../../packages/gateway/src/stages/fit.ts";
import { FIRST_TRY } from "../../packages/gateway/src/stages/recover.ts";
import { resolve } from "../../packages/gateway/src/stages/resolve.ts";
import { printTable, quantile } from "../tokens/table.ts";
import { bodyOf, MODEL, makeConversation, makeTurn } from "./conversation.ts";

const TOKENS = 200_000;
const TURNS = [50, 200, 1_000];
/** A window that holds the conversation, and one that it is condensed for. */
const WINDOWS = { original: 1_000_000, condensed: 150_000 } as const;
const ROUNDS = 7;
/** Requests per round, each one turn longer than the previous. */
const REQUESTS = 12;
const NEW_CHARACTERS = 800;
/** `STRATEGY=middle-out` measures requests without references. */
const STRATEGY = process.env.STRATEGY ?? "smart";

const EXPLANATION = `
CPU milliseconds for one request with one new turn; the median of ${ROUNDS} rounds of ${REQUESTS}. "fit" is looking up known messages, counting, finding an epoch,
building the body for the upstream, and recording its usage. "split, hash" is the minimum for anything that looks at messages: finding where each begins, and
its SHA-256. "parse" is JSON.parse alone; "parse, hash, write" is the same work on parsed values. Goals: fit under 1.5 times "split, hash", and about a tenth of parsing.`;

/** Measures the cost of fitting a known conversation. */
export async function printOverhead(): Promise<void> {
  const rows: string[][] = [];
  for (const [form, windowTokens] of Object.entries(WINDOWS)) {
    for (const turns of TURNS) rows.push(await measure(form, windowTokens, turns));
  }
  printTable(
    `Fitting a conversation of ${TOKENS / 1_000}K tokens with one new turn`,
    ["sent", "turns", "MB", "fit", "split, hash", "parse", "parse, hash, write", "× split", "× parse", "× write"],
    rows,
  );
  console.log(EXPLANATION);
}

interface Times {
  readonly fit: number;
  readonly split: number;
  readonly parse: number;
  readonly write: number;
}

async function measure(form: string, windowTokens: number, turns: number): Promise<string[]> {
  process.stderr.write(`\r\u001b[Kfit: ${form}, ${turns} turns`);
  const conversation = makeConversation(TOKENS, turns);
  const fitting = await openFitting(windowTokens);
  try {
    await warmUp(fitting, bodyOf(conversation), form);
    const rounds: Times[] = [];
    for (let round = 0; round < ROUNDS; round++) rounds.push(await timeRound(growing(conversation, round), fitting));
    const middle = (key: keyof Times) => quantile(rounds.map((times) => times[key]));
    const [fit, split, parse, write] = [middle("fit"), middle("split"), middle("parse"), middle("write")];
    const megabytes = (bodyOf(conversation).length / 1e6).toFixed(2);
    const times = [fit, split, parse, write].map((ms) => ms.toFixed(2));
    const shares = [fit / split, fit / parse, fit / write].map((share) => share.toFixed(2));
    return [form, String(turns), megabytes, ...times, ...shares];
  } finally {
    process.stderr.write("\r\u001b[K");
    await fitting.close();
  }
}

/** Returns the bodies of a round's consecutive requests, which continue those of the round before. */
function growing(conversation: Conversation, round: number): Buffer[] {
  const made = Array.from({ length: (round + 1) * REQUESTS }, (_, at) => makeTurn(`new${at}`, NEW_CHARACTERS));
  const sentBefore = round * REQUESTS;
  return made.slice(sentBefore).map((_, at) => {
    const messages = [...conversation.messages, ...made.slice(0, sentBefore + at + 1).flat()];
    return bodyOf({ ...conversation, messages });
  });
}

async function timeRound(bodies: readonly Buffer[], fitting: Fitting): Promise<Times> {
  const split = await timeMs(bodies, splitAndHash);
  const parse = await timeMs(bodies, (body) => JSON.parse(body.toString()));
  const write = await timeMs(bodies, parseAndWrite);
  const fit = await timeMs(bodies, fitting.fit);
  return { fit, split, parse, write };
}

/** CPU time of this thread per body. */
async function timeMs(bodies: readonly Buffer[], run: (body: Buffer) => unknown): Promise<number> {
  const before = process.threadCpuUsage();
  for (const body of bodies) await run(body);
  const { user, system } = process.threadCpuUsage(before);
  return (user + system) / 1_000 / bodies.length;
}

function splitAndHash(body: Buffer): number {
  const items = splitBody(body, "messages")?.items ?? [];
  return items.reduce((total, { from, to }) => total + hash("sha256", body.subarray(from, to), "base64url").length, 0);
}

/** Reads the messages of a body as parsed values and writes it again. */
function parseAndWrite(body: Buffer): Buffer {
  const value: { messages: unknown[] } = JSON.parse(body.toString());
  for (const message of value.messages) hash("sha256", JSON.stringify(message), "base64url");
  return Buffer.from(JSON.stringify(value));
}

const MAX_WARM_UPS = 50;

/** Sends the same request until its epoch is in use. */
async function warmUp(fitting: Fitting, body: Buffer, form: string): Promise<void> {
  for (let tries = 0; tries < MAX_WARM_UPS; tries++) {
    const sent = await fitting.fit(body);
    const isCondensed = sent.length < body.length * 0.9;
    if (isCondensed === (form === "condensed") && tries > 2) return;
  }
  throw new Error(`the conversation is not sent as ${form}`);
}

interface Fitting {
  /** Returns the body for the upstream. */
  fit(body: Buffer): Promise<Uint8Array>;
  close(): Promise<void>;
}

async function openFitting(windowTokens: number): Promise<Fitting> {
  const snapshot = openSnapshot(parseConfig(configFor(windowTokens), {}), {
    environment: {},
    nowMs: Date.now,
    nowSeconds: () => Date.now() / 1_000,
  });
  const store = await openStore({ path: ":memory:", nowMs: Date.now });
  const memory = await openMemory(store);
  return {
    fit: (body) => fit(body, snapshot, memory),
    close: async () => {
      await memory.close();
      await snapshot.close();
      await store.close();
    },
  };
}

function configFor(windowTokens: number): object {
  return {
    upstreams: { vendor: { kind: "anthropic", baseUrl: "http://127.0.0.1:9", apiKey: "key" } },
    routes: [{ match: "*", upstream: "vendor" }],
    models: { [MODEL]: { window: windowTokens } },
    compaction: { enabled: false },
    context: { strategy: STRATEGY },
  };
}

const HEADERS = { "x-api-key": "key", "anthropic-version": "2023-06-01" };

async function fit(body: Buffer, snapshot: Snapshot, memory: Memory): Promise<Uint8Array> {
  const endpoint = findEndpoint("POST", "/v1/messages", HEADERS);
  if (endpoint === undefined) throw new Error("the gateway has no Messages API");
  const caller = new Caller(undefined, HEADERS);
  const received = { id: "bench", endpoint, body, headers: HEADERS, query: "", caller };
  const call = decode(received, memory.fitting.histories);
  const [destination] = resolve({ key: undefined, model: call.model, wire: endpoint.wire }, snapshot);
  if (destination === undefined) throw new Error("the model has no upstream");
  const context = {
    memory,
    snapshot,
    signal: new AbortController().signal,
    random: Math.random,
    wait: async (ms: number, signal: AbortSignal) => void (await waitFor(ms, undefined, { signal })),
    record: openRecord("bench"),
  };
  const fitted = await fitCall({ call, destination }, FIRST_TRY, context);
  const { outgoing } = encodeSync({ call, destination, fitted });
  if (fitted !== undefined) record(fitted, { ...NO_USAGE, inputTokens: fitted.form.tokens });
  return outgoing.body ?? body;
}

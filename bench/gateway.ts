// Requests per second, added latency and processor time per request of the gateway, next to a direct call, a bare pass-through and Portkey.

import { execFileSync } from "node:child_process";
import { existsSync } from "node:fs";
import { setTimeout as waitFor } from "node:timers/promises";
import { fileURLToPath } from "node:url";
import { type Child, startChild } from "./gateway/children.ts";
import { type Burst, burst, median, type Shot } from "./gateway/load.ts";

const here = (path: string) => fileURLToPath(new URL(`gateway/${path}`, import.meta.url));
const PORTKEY_PORT = 18_787;
const ROUNDS = Number(process.env.ROUNDS ?? 5);
const CONCURRENCY = 16;
/** Bytes of the body, and how many requests make a round. */
const SIZES = [
  ["1 KB", 1_000, 400],
  ["40 KB", 40_000, 300],
  ["400 KB", 400_000, 80],
  ["4 MB", 4_000_000, 16],
] as const;

interface Contender {
  readonly name: string;
  readonly child: Child;
  shot(bytes: number, stream: boolean): Shot;
}

const mock = await startChild([here("mock-upstream.ts")]);
const bare = await startChild([here("bare-proxy.ts"), mock.url]);
const ours = await startChild([here("longhaul.ts"), mock.url]);
const looking = await startChild([here("longhaul.ts"), mock.url, "look-up"]);
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
  chat(looking, "longhaul, messages looked up"),
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
  for (const stream of [false, true])
    for (const [label, bytes, count] of SIZES) await compare({ label, bytes, count, stream });
} finally {
  for (const child of [mock, bare, ours, looking, portkey]) child?.stop();
}

interface Comparison {
  readonly label: string;
  readonly bytes: number;
  readonly count: number;
  readonly stream: boolean;
}

async function compare({ label, bytes, count, stream }: Comparison): Promise<void> {
  const rounds = new Map<string, { burst: Burst; cpuMs: number; alone: Burst }[]>(
    contenders.map(({ name }) => [name, []]),
  );
  for (let round = 0; round < ROUNDS; round++) {
    process.stderr.write(`\r${label} ${stream ? "streaming" : "whole"}: round ${round + 1} of ${ROUNDS}   `);
    for (const contender of contenders) {
      const shot = contender.shot(bytes, stream);
      const before = contender.child.cpuMs();
      const many = await burst(shot, count, CONCURRENCY);
      const cpuMs = (contender.child.cpuMs() - before) / count;
      const alone = await burst(shot, Math.max(8, Math.floor(count / 8)), 1);
      rounds.get(contender.name)?.push({ burst: many, cpuMs, alone });
    }
  }
  process.stderr.write("\r");
  process.stdout.write(`\n${label}, ${stream ? "200 events" : "one JSON answer"} (${ROUNDS} rounds of ${count})\n`);
  const base = median((rounds.get("direct") ?? []).map(({ alone }) => alone.p50Ms)).middle;
  const peer = median((rounds.get("portkey") ?? []).map(({ burst: { perSecond } }) => perSecond)).middle;
  console.table(
    Object.fromEntries(
      [...rounds].map(([name, all]) => {
        const rate = median(all.map(({ burst: { perSecond } }) => perSecond));
        return [
          name,
          {
            "requests/s": Math.round(rate.middle),
            "± %": Math.round(rate.spreadPercent),
            "× portkey": peer === 0 ? "–" : Number((rate.middle / peer).toFixed(1)),
            "CPU ms/request": Number(median(all.map(({ cpuMs }) => cpuMs)).middle.toFixed(2)),
            "added p50 ms": Number((median(all.map(({ alone }) => alone.p50Ms)).middle - base).toFixed(2)),
            "p99 ms": Number(median(all.map(({ alone }) => alone.p99Ms)).middle.toFixed(2)),
            failures: all.reduce((sum, { burst: { failures } }) => sum + failures, 0),
          },
        ];
      }),
    ),
  );
}

function chatBody(bytes: number, stream: boolean): Buffer {
  return Buffer.from(JSON.stringify({ model: "gpt-4o", messages: messagesOf(bytes), stream }));
}

function anthropicBody(bytes: number, stream: boolean): Buffer {
  return Buffer.from(JSON.stringify({ model: "gpt-4o", max_tokens: 1_000, messages: messagesOf(bytes), stream }));
}

/** A talk of about this many bytes, in messages of up to 4 KB. */
function messagesOf(bytes: number): object[] {
  const text = 'The quick brown fox jumps over the lazy dog, "and" so on.\n';
  const each = Math.min(bytes, 4_000);
  const count = Math.max(1, Math.floor(bytes / each / 2) * 2 - 1);
  const content = text.repeat(Math.ceil(bytes / count / text.length)).slice(0, Math.floor(bytes / count));
  return Array.from({ length: count }, (_, index) => ({ role: index % 2 === 0 ? "user" : "assistant", content }));
}

/** The peer, installed once into the cache folder; without it the others are compared alone. */
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
    console.error(`Portkey's gateway is left out: ${error instanceof Error ? error.message : String(error)}`);
  }
  return undefined;
}

function installPortkey(folder: string): void {
  console.error("installing Portkey's gateway into .cache once");
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

import { setTimeout as waitFor } from "node:timers/promises";
import { fileURLToPath } from "node:url";
import { Agent, request } from "undici";
import { type Child, startChild } from "../gateway/children.ts";
import { printTable, quantile } from "../tokens/table.ts";
import { bodyOf, makeConversation, makeTurn } from "./conversation.ts";

const STRATEGIES = ["middle-out", "smart", "lossless", "tree-summary"];
const LONG_TOKENS = 1_000_000;
const LONG_TURNS = 1_500;
/** The window that the long conversation must fit into. */
const WINDOW_TOKENS = 500_000;
const STREAMS = 8;
const CALM_MS = 3_000;
/** Time limit for the long conversation. */
const MAX_MS = 120_000;
const HEADERS = { "content-type": "application/json", "x-api-key": "key", "anthropic-version": "2023-06-01" };

const EXPLANATION = `
Milliseconds between two chunks of a stream that the upstream sends every ${10} ms: through an idle gateway, through the gateway while it condenses a
conversation of ${LONG_TOKENS / 1_000}K tokens, and at the same time directly from the upstream, which shows the machine's own delays. The conversation is sent
twice: new, and one turn longer. Goal: p99 under 50 while condensing.`;

/** Measures how evenly streams flow while another client's long conversation is condensed. */
export async function printGaps(): Promise<void> {
  const conversation = makeConversation(LONG_TOKENS, LONG_TURNS);
  const longer = { ...conversation, messages: [...conversation.messages, ...makeTurn("more", 4_000)] };
  const bodies = [bodyOf(conversation), bodyOf(longer)];
  const rows: string[][] = [];
  for (const strategy of STRATEGIES) {
    process.stderr.write(`\r\u001b[Kgaps: ${strategy}`);
    rows.push(...(await measure(strategy, bodies)));
  }
  process.stderr.write("\r\u001b[K");
  printTable(
    "Streams beside a long conversation",
    ["strategy", "when", "seconds", "answer", "p50", "p99", "max", "straight p99", "max"],
    rows,
  );
  console.log(EXPLANATION);
}

async function measure(strategy: string, bodies: readonly Buffer[]): Promise<string[][]> {
  const upstream = await startChild([here("paced-upstream.ts")]);
  const other = await startChild([here("paced-upstream.ts"), "at-once"]);
  const gateway = await startChild([
    here("condensing-gateway.ts"),
    upstream.url,
    other.url,
    strategy,
    `${WINDOW_TOKENS}`,
  ]);
  const agent = new Agent({ connections: 2 * STREAMS + 4 });
  const isOver = new AbortController();
  const through = watch(gateway, agent, isOver.signal);
  const straight = watch(upstream, agent, isOver.signal);
  try {
    const rows: string[][] = [];
    const look = (when: string, from: number, answer: string) => {
      const rested = through.since(from);
      const alone = straight.since(from);
      const seconds = ((performance.now() - from) / 1_000).toFixed(1);
      rows.push([
        strategy,
        when,
        seconds,
        answer,
        ...[0.5, 0.99, 1].map((share) => formatGap(rested, share)),
        formatGap(alone, 0.99),
        formatGap(alone, 1),
      ]);
    };
    await waitFor(1_000);
    const calmFrom = performance.now();
    await waitFor(CALM_MS);
    look("calm", calmFrom, "");
    for (const [at, body] of bodies.entries()) {
      const from = performance.now();
      const answer = await post(gateway, agent, body);
      look(at === 0 ? "new" : "one turn longer", from, answer);
    }
    return rows;
  } finally {
    isOver.abort();
    await agent.destroy();
    for (const child of [gateway, upstream, other]) child.stop();
  }
}

function here(file: string): string {
  return fileURLToPath(new URL(file, import.meta.url));
}

function formatGap(gaps: readonly number[], share: number): string {
  return quantile(gaps, share).toFixed(1);
}

async function post(gateway: Child, dispatcher: Agent, body: Buffer): Promise<string> {
  const answer = await request(`${gateway.url}/v1/messages`, {
    dispatcher,
    method: "POST",
    headers: HEADERS,
    body,
    headersTimeout: MAX_MS,
  });
  const text = await answer.body.text();
  return text.includes("message_stop")
    ? `complete, ${answer.headers["x-compressed-tokens"] ?? "not condensed"}`
    : text.slice(0, 120);
}

interface Watch {
  /** The gaps that ended after a time. */
  since(fromMs: number): number[];
}

/** Keeps several streams running and records when chunks arrive. */
function watch({ url }: Child, dispatcher: Agent, signal: AbortSignal): Watch {
  const gaps: { readonly atMs: number; readonly ms: number }[] = [];
  const flow = async () => {
    while (!signal.aborted) {
      const body = JSON.stringify({
        model: "claude-haiku-4-5",
        max_tokens: 4_000,
        stream: true,
        messages: [{ role: "user", content: "simulate: words 2000" }],
      });
      const answer = await request(`${url}/v1/messages`, {
        dispatcher,
        method: "POST",
        headers: HEADERS,
        body,
        signal,
      });
      let before = performance.now();
      for await (const _ of answer.body) {
        const atMs = performance.now();
        gaps.push({ atMs, ms: atMs - before });
        before = atMs;
      }
    }
  };
  for (let line = 0; line < STREAMS; line++) void flow().catch(() => {});
  return { since: (fromMs) => gaps.filter(({ atMs }) => atMs >= fromMs).map(({ ms }) => ms) };
}

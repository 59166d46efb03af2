import { readFileSync } from "node:fs";
import { Pool } from "undici";
import type { Child } from "../gateway/children.ts";
import { EXCHANGE_BYTES, type Format, sessionBody } from "./bodies.ts";

/** The requests to send. */
export interface Load {
  readonly format: Format;
  /** Size of a session's first request. */
  readonly sessionKb: number;
  readonly upstream: Child;
}

/** Requests of sessions of their own before anything is measured: compiled code is several times as fast. */
const WARM_UP = 60;
const MIB = 1024 * 1024;
const PAGE_BYTES = 4_096;

/** A request of a session. */
export interface Sending {
  readonly session: number;
  readonly turn: number;
}

/** Sends the sessions' requests one after the other, as agents do. */
export class Client {
  gateway: Child;
  readonly #load: Load;
  #warmUps = 0;

  constructor(load: Load, gateway: Child) {
    this.#load = load;
    this.gateway = gateway;
  }

  /** Sends requests of new sessions, each of them twice. */
  async warmUp(): Promise<void> {
    for (let request = 0; request < WARM_UP; request++) {
      const session = WARM_SESSIONS + this.#warmUps + Math.floor(request / 2);
      await this.#send(this.gateway.url, { session, turn: request % 2 });
    }
    this.#warmUps += WARM_UP;
  }

  /** Returns the CPU time of the gateway per request, and the latency that it adds to each. */
  async measure(count: number, turnOf: (at: number) => Sending): Promise<{ cpuMs: number; addedMs: number[] }> {
    const times: number[] = [];
    const before = this.gateway.cpuMs();
    for (let at = 0; at < count; at++) times.push(await this.#send(this.gateway.url, turnOf(at)));
    const cpuMs = (this.gateway.cpuMs() - before) / count;
    const direct: number[] = [];
    for (let at = 0; at < Math.min(count, 50); at++) direct.push(await this.#send(this.#load.upstream.url, turnOf(at)));
    const directMs = quantile(direct, 0.5);
    return { cpuMs, addedMs: times.map((ms) => ms - directMs) };
  }

  /** Runs an action with another gateway. */
  async at<Result>(gateway: Child, act: () => Promise<Result>): Promise<Result> {
    const own = this.gateway;
    this.gateway = gateway;
    try {
      return await act();
    } finally {
      this.gateway = own;
    }
  }

  rssMiB(): number {
    const pages = Number(readFileSync(`/proc/${this.gateway.pid}/statm`, "utf8").split(" ")[1]);
    return Math.round((pages * PAGE_BYTES) / MIB);
  }

  async close(): Promise<void> {
    await stopped(this.gateway);
  }

  async #send(url: string, { session, turn }: Sending): Promise<number> {
    const { format, sessionKb } = this.#load;
    const exchanges = Math.floor((sessionKb * 1024) / EXCHANGE_BYTES) + turn;
    const body = sessionBody({ format, session, exchanges });
    const startedAt = performance.now();
    const answer = await poolOf(url).request({
      path: format === "chat" ? "/v1/chat/completions" : "/v1/messages",
      method: "POST",
      headers: HEADERS,
      body,
    });
    const text = await answer.body.text();
    if (answer.statusCode !== 200) throw new Error(`${url} answered ${answer.statusCode}: ${text.slice(0, 500)}`);
    return performance.now() - startedAt;
  }
}

const HEADERS = { "content-type": "application/json", "anthropic-version": "2023-06-01", "x-api-key": "k" };
/** Sessions from this one on only warm a gateway up. */
const WARM_SESSIONS = 1_000_000;
const pools = new Map<string, Pool>();

function poolOf(url: string): Pool {
  const pool = pools.get(url) ?? new Pool(url, { connections: 1 });
  pools.set(url, pool);
  return pool;
}

/** Stops a gateway and waits until it has written everything. */
export async function stopped(child: Child): Promise<void> {
  await pools.get(child.url)?.destroy();
  pools.delete(child.url);
  await child.end();
}

export function quantile(figures: readonly number[], share: number): number {
  const sorted = figures.toSorted((a, b) => a - b);
  return sorted[Math.floor((sorted.length - 1) * share)] ?? 0;
}

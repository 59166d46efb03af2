import { Pool } from "undici";

/** One kind of request. */
export interface Shot {
  readonly url: string;
  readonly path: string;
  readonly headers: Readonly<Record<string, string>>;
  readonly body: Buffer;
}

/** What a burst of requests came to. */
export interface Burst {
  readonly count: number;
  readonly perSecond: number;
  readonly p50Ms: number;
  readonly p99Ms: number;
  readonly failures: number;
}

/** Sends requests for so many seconds, `concurrency` at a time, each read to its end, over new connections or those of `open`. */
export async function burst(shot: Shot, seconds: number, concurrency: number, open?: Pool): Promise<Burst> {
  const pool = open ?? new Pool(shot.url, { connections: concurrency });
  const times: number[] = [];
  let failures = 0;
  const from = performance.now();
  const worker = async () => {
    while (performance.now() - from < seconds * 1_000) {
      const startedAt = performance.now();
      const answer = await pool.request({
        path: shot.path,
        method: "POST",
        headers: { "content-type": "application/json", ...shot.headers },
        body: shot.body,
      });
      for await (const _ of answer.body);
      if (answer.statusCode !== 200) failures++;
      times.push(performance.now() - startedAt);
    }
  };
  await Promise.all(Array.from({ length: concurrency }, worker));
  const count = times.length;
  const perSecond = (1_000 * count) / (performance.now() - from);
  if (open === undefined) await pool.close();
  times.sort((a, b) => a - b);
  const at = (share: number) => times[Math.min(times.length - 1, Math.floor(times.length * share))] ?? 0;
  return { count, perSecond, p50Ms: at(0.5), p99Ms: at(0.99), failures };
}

/** The middle of some figures, and how far they spread around it in percent. */
export function median(figures: readonly number[]): { middle: number; spreadPercent: number } {
  const sorted = [...figures].sort((a, b) => a - b);
  const middle = sorted[Math.floor(sorted.length / 2)] ?? 0;
  const spread = (sorted.at(-1) ?? 0) - (sorted[0] ?? 0);
  return { middle, spreadPercent: middle === 0 ? 0 : (50 * spread) / middle };
}

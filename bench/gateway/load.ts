import { Pool } from "undici";

export interface LoadRequest {
  readonly url: string;
  readonly path: string;
  readonly headers: Readonly<Record<string, string>>;
  readonly body: Buffer;
}

export interface Burst {
  readonly count: number;
  readonly perSecond: number;
  readonly p50Ms: number;
  readonly p99Ms: number;
  readonly failures: number;
}

/**
 * Sends requests for this many seconds, `concurrency` at a time, and reads each response to its end, over new connections or those of
 * `open`.
 */
export async function burst(shot: LoadRequest, seconds: number, concurrency: number, open?: Pool): Promise<Burst> {
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

/** Returns the median and its spread in percent. */
export function median(figures: readonly number[]): { middle: number; spreadPercent: number } {
  const sorted = [...figures].sort((a, b) => a - b);
  const middle = sorted[Math.floor(sorted.length / 2)] ?? 0;
  const spread = (sorted.at(-1) ?? 0) - (sorted[0] ?? 0);
  return { middle, spreadPercent: middle === 0 ? 0 : (50 * spread) / middle };
}

/** The body sizes to compare. */
export const SIZES = [
  ["1 KB", 1_000],
  ["40 KB", 40_000],
  ["400 KB", 400_000],
  ["4 MB", 4_000_000],
] as const;

/** A chat request of about this many bytes. */
export function chatBody(bytes: number, stream: boolean): Buffer {
  return Buffer.from(JSON.stringify({ model: "gpt-4o", messages: messagesOf(bytes), stream }));
}

/** The same in the Messages format. */
export function anthropicBody(bytes: number, stream: boolean): Buffer {
  return Buffer.from(JSON.stringify({ model: "gpt-4o", max_tokens: 1_000, messages: messagesOf(bytes), stream }));
}

/** Messages of up to 4 KB, about this many bytes in total. */
function messagesOf(bytes: number): object[] {
  const text = 'The quick brown fox jumps over the lazy dog, "and" so on.\n';
  const each = Math.min(bytes, 4_000);
  const count = Math.max(1, Math.floor(bytes / each / 2) * 2 - 1);
  const content = text.repeat(Math.ceil(bytes / count / text.length)).slice(0, Math.floor(bytes / count));
  return Array.from({ length: count }, (_, index) => ({ role: index % 2 === 0 ? "user" : "assistant", content }));
}

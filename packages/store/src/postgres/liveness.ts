import { Client, DatabaseError } from "pg";
import type { Address } from "./address.ts";

export interface LivenessOptions {
  /** How often to probe the server while it does not answer. */
  readonly suspectMs: number;
  /** When to give up even if the server is alive. */
  readonly limitMs: number;
  isAlive(): Promise<boolean>;
}

/** Waits for a slow answer while the server is alive; rejects soon after the server stops responding. */
export async function whileAlive<T>(answer: Promise<T>, { suspectMs, limitMs, isAlive }: LivenessOptions): Promise<T> {
  let timer: NodeJS.Timeout | undefined;
  const givenUp = new Promise<never>((_, reject) => {
    let waitedMs = 0;
    timer = setInterval(async () => {
      waitedMs += suspectMs;
      if (waitedMs >= limitMs) reject(new Error(`no answer in ${limitMs / 1_000} s`));
      else if (!(await isAlive())) reject(new Error("it stopped responding"));
    }, suspectMs);
  });
  try {
    return await Promise.race([answer, givenUp]);
  } finally {
    clearInterval(timer);
  }
}

const LIMIT_MS = 1_000;

/** Probes a server over a new connection. Concurrent probes share one answer. */
export function makeLivenessProbe({ config }: Address): () => Promise<boolean> {
  let asking: Promise<boolean> | undefined;
  return () => {
    asking ??= isResponding(
      new Client({ ...config, connectionTimeoutMillis: LIMIT_MS, query_timeout: LIMIT_MS }),
    ).finally(() => {
      asking = undefined;
    });
    return asking;
  };
}

async function isResponding(client: Client): Promise<boolean> {
  client.on("error", () => {});
  try {
    await client.connect();
    await client.query("select 1");
    return true;
  } catch (error) {
    // A server that refuses is alive.
    return error instanceof DatabaseError;
  } finally {
    void client.end().catch(() => {});
  }
}

const CLOSE_LIMIT_MS = 1_000;

/** Waits for connections to close, but not for a server that stopped responding. */
export async function closeWithTimeout(end: Promise<unknown>): Promise<void> {
  let timer: NodeJS.Timeout | undefined;
  const late = new Promise<void>((resolve) => {
    timer = setTimeout(resolve, CLOSE_LIMIT_MS);
  });
  await Promise.race([end.catch(() => {}), late]);
  clearTimeout(timer);
}

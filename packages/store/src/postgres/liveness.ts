import { Client, DatabaseError } from "pg";
import type { Address } from "./address.ts";

/** How long an answer is waited for. */
export interface LivenessOptions {
  /** After so long without an answer, and after as long again, the server is asked for a sign of life. */
  readonly suspectMs: number;
  /** After so long it is given up on, alive or not. */
  readonly limitMs: number;
  isAlive(): Promise<boolean>;
}

/** Waits for a slow answer while the server lives; rejects soon after it has stopped to answer anybody. */
export async function whileAlive<T>(answer: Promise<T>, { suspectMs, limitMs, isAlive }: LivenessOptions): Promise<T> {
  let timer: NodeJS.Timeout | undefined;
  const givenUp = new Promise<never>((_, reject) => {
    let waitedMs = 0;
    timer = setInterval(async () => {
      waitedMs += suspectMs;
      if (waitedMs >= limitMs) reject(new Error(`no answer in ${limitMs / 1_000} s`));
      else if (!(await isAlive())) reject(new Error("it does not answer any more"));
    }, suspectMs);
  });
  try {
    return await Promise.race([answer, givenUp]);
  } finally {
    clearInterval(timer);
  }
}

const LIMIT_MS = 1_000;

/** Asks a server whether it is there, over a new connection; those who ask while another asks get the same answer. */
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
    // Whoever refuses is alive.
    return error instanceof DatabaseError;
  } finally {
    void client.end().catch(() => {});
  }
}

const CLOSE_LIMIT_MS = 1_000;

/** Waits for connections to close, but not for a server that does not answer any more. */
export async function closeWithTimeout(end: Promise<unknown>): Promise<void> {
  let timer: NodeJS.Timeout | undefined;
  const late = new Promise<void>((resolve) => {
    timer = setTimeout(resolve, CLOSE_LIMIT_MS);
  });
  await Promise.race([end.catch(() => {}), late]);
  clearTimeout(timer);
}

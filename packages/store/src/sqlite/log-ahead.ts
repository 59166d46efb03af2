import { setTimeout as wait } from "node:timers/promises";
import { LonghaulError } from "@longhaul/conversation";
import type { SqliteConnection } from "./connection.ts";

const MAX_ATTEMPTS = 50;
const PAUSE_MS = 20;

/**
 * Turns on the write-ahead log. Readers and a writer don't wait for each other then, and what was written survives the end of the process,
 * however it ends. A power cut may take the last writes with it and nothing else; to wait for the disk at every write takes three times as
 * long.
 */
export async function logAhead(connection: SqliteConnection): Promise<void> {
  // Those that open a new file at one moment stand in each other's way, and SQLite doesn't wait where all would wait for each other.
  for (let attempt = 1; !(await isLoggingAhead(connection, attempt)); attempt++) await wait(PAUSE_MS);
  await connection.execute("pragma synchronous = normal", []);
}

async function isLoggingAhead(connection: SqliteConnection, attempt: number): Promise<boolean> {
  try {
    await connection.execute("pragma journal_mode = wal", []);
    return true;
  } catch (error) {
    if (attempt < MAX_ATTEMPTS && error instanceof LonghaulError && error.retryable) return false;
    throw error;
  }
}

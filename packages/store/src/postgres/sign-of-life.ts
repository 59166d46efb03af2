import { Client, DatabaseError } from "pg";
import type { Address } from "./address.ts";

const LIMIT_MS = 1_000;

/** Asks a server whether it is there, over a new connection; those who ask while another asks get the same answer. */
export function makeSignOfLife({ config }: Address): () => Promise<boolean> {
  let asking: Promise<boolean> | undefined;
  return () => {
    asking ??= answers(new Client({ ...config, connectionTimeoutMillis: LIMIT_MS, query_timeout: LIMIT_MS })).finally(
      () => {
        asking = undefined;
      },
    );
    return asking;
  };
}

async function answers(client: Client): Promise<boolean> {
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

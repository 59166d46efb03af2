import { spawn } from "node:child_process";
import { once } from "node:events";
import { createInterface } from "node:readline";
import { fileURLToPath } from "node:url";

const script = fileURLToPath(new URL("write-rows.ts", import.meta.url));

/** Where a store is. */
export type Place = { readonly path: string } | { readonly url: string };

/** Something that a store has said it keeps. */
export interface Written {
  /** Which of the stores. */
  readonly place: number;
  readonly kind: "epoch" | "events";
  readonly name: string;
}

/** What a process that writes is told. */
interface Writer {
  readonly places: readonly Place[];
  readonly name: string;
  readonly count: number;
  /** It is killed after that many writes. */
  readonly killAfter?: number;
  /** A folder in which the next writer finds what it would else compile anew. */
  readonly cache?: string;
}

/** Runs another process that writes, and returns what was acknowledged to it, and what it said went wrong. */
export async function runWriter(writer: Writer): Promise<{ written: Written[]; failure: string }> {
  const { places, name, count, killAfter, cache } = writer;
  const child = spawn(process.execPath, [script, JSON.stringify(places), name, String(count)], {
    stdio: ["ignore", "pipe", "pipe"],
    env: { ...process.env, ...(cache !== undefined && { NODE_COMPILE_CACHE: cache }) },
  });
  const closed = once(child, "close");
  const written: Written[] = [];
  let failure = "";
  child.stderr.on("data", (chunk) => {
    failure += chunk;
  });
  for await (const line of createInterface(child.stdout)) {
    if (written.push(JSON.parse(line)) === killAfter) child.kill("SIGKILL");
  }
  await closed;
  return { written, failure };
}

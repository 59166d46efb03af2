import { spawn } from "node:child_process";
import { once } from "node:events";
import { createInterface } from "node:readline";
import { fileURLToPath } from "node:url";
import { textBlock } from "@longhaul/conversation";
import type { EventBatch } from "../contract/events.ts";
import type { Epoch } from "../contract/store.ts";
import type { StoreLocation } from "../open-store.ts";
import { makeCondensationEvent, makeEpoch, makeProjection, makeRequestEvent } from "./make.ts";

const script = fileURLToPath(new URL("write-rows.ts", import.meta.url));

export interface Written {
  readonly store: number;
  readonly kind: "epoch" | "events";
  readonly name: string;
}

interface Writer {
  readonly stores: readonly StoreLocation[];
  readonly name: string;
  readonly count: number;
  /** Kill it after this many writes. */
  readonly killAfter?: number;
  /** A shared compile cache, so that later writers start faster. */
  readonly cache?: string;
}

/** Runs a writer in another process, and returns its acknowledged writes and its error output. */
export async function runWriter(writer: Writer): Promise<{ written: Written[]; failure: string }> {
  const { stores, name, count, killAfter, cache } = writer;
  const child = spawn(process.execPath, [script, JSON.stringify(stores), name, String(count)], {
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

/** Spans several database pages. */
const SUMMARY_CHARS = 20_000;
const REQUESTS = 3;

/** An epoch with recognizable text, too long for one page. */
export function makeLongEpoch(name: string): Epoch {
  const text = name.repeat(Math.ceil(SUMMARY_CHARS / name.length));
  const message = { role: "assistant", blocks: [textBlock(text)] } as const;
  return makeEpoch({
    prefix: name,
    projection: { ...makeProjection(), entries: [{ kind: "made", from: 0, to: 10, message }] },
  });
}

export function makeEvents(name: string): EventBatch {
  const ids = Array.from({ length: REQUESTS }, (_, index) => `${name}-${index}`);
  return {
    requests: ids.map((id) => makeRequestEvent({ id, session: name })),
    condensations: [makeCondensationEvent({ id: name, requestId: ids[0] ?? "", session: name })],
  };
}

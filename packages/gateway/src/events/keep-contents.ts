import { promisify } from "node:util";
import { gzip } from "node:zlib";
import { LonghaulError } from "@longhaul/conversation";
import { DAY_MS } from "@longhaul/fit";
import type { Config } from "@longhaul/settings";
import type { Contents } from "@longhaul/store";
import { asBuffer } from "@longhaul/upstream";
import type { EndedRequest, Observer } from "./observer.ts";

/** Stores the bodies of requests, if the operator turned that on. */
export interface ContentsKeeper extends Observer {
  /** Returns the number of requests whose contents were lost. */
  dropped(): number;
  /** Stores the queued contents. */
  close(): Promise<void>;
}

export interface KeepContentsOptions {
  readonly contents: Pick<Contents, "put" | "prune">;
  readonly settings: () => Config["contents"];
  readonly nowMs: () => number;
  /** Called once each time contents start to be lost. */
  readonly warn: (what: string) => void;
}

/** Memory limit for bodies that wait to be compressed. */
const MAX_WAITING_BYTES = 64 * 1024 * 1024;
/** After this many bytes, old contents are deleted. */
const PRUNE_EVERY_BYTES = 8 * 1024 * 1024;
const MIB = 1024 * 1024;
const compress = promisify(gzip);

/** Opens a keeper. Bodies are compressed one by one in Node's thread pool after the answers were sent; no request waits for it. */
export function openContentsKeeper({ contents, settings, nowMs, warn }: KeepContentsOptions): ContentsKeeper {
  let waitingBytes = 0;
  let putBytes = 0;
  const losses = countLosses(warn);
  let keeping = Promise.resolve();
  const keep = async ({ event, before, after, sentWire }: NonNullable<ReturnType<typeof toKeep>>) => {
    const compressed = { before: await compress(before), ...(after !== undefined && { after: await compress(after) }) };
    const { id: requestId, tenant, session, atMs, wire } = event;
    await contents.put({ requestId, tenant, session, atMs, wire, sentWire, ...compressed });
    losses.end();
    putBytes += compressed.before.length + (compressed.after?.length ?? 0);
    if (putBytes < PRUNE_EVERY_BYTES) return;
    putBytes = 0;
    const { keepDays, maxMiB } = settings();
    await contents.prune(nowMs() - keepDays * DAY_MS, maxMiB * MIB);
  };
  return {
    finished: (request) => {
      const kept = toKeep(request, settings().keep);
      if (kept === undefined) return;
      const bytes = kept.before.length + (kept.after?.length ?? 0);
      if (waitingBytes + bytes > MAX_WAITING_BYTES) {
        losses.add("the queue is full");
        return;
      }
      waitingBytes += bytes;
      keeping = keeping
        .then(() => keep(kept))
        .catch((error: unknown) => losses.add(reasonOf(error)))
        .finally(() => {
          waitingBytes -= bytes;
        });
    },
    condensed: () => {},
    dropped: () => losses.count(),
    close: () => keeping,
  };
}

/** Counts losses and warns when they start. */
function countLosses(warn: KeepContentsOptions["warn"]) {
  let count = 0;
  let isLosing = false;
  return {
    count: () => count,
    add: (why: string) => {
      count += 1;
      if (!isLosing) warn(`request content is not being recorded: ${why}; requests are not affected`);
      isLosing = true;
    },
    end: () => {
      isLosing = false;
    },
  };
}

function reasonOf(error: unknown): string {
  return error instanceof LonghaulError ? `the store rejected it (${error.code})` : "the store failed";
}

function toKeep({ event, received, sent }: EndedRequest, keep: Config["contents"]["keep"]) {
  const isWanted = keep === "all" || (keep === "condensed" && event.strategy !== "");
  if (!isWanted || received === undefined || event.action !== "generate") return undefined;
  const isSame = sent === undefined || asBuffer(sent.body).equals(received);
  return { event, before: received, after: isSame ? undefined : sent.body, sentWire: sent?.wire ?? event.wire };
}

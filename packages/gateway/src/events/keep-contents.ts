import { promisify } from "node:util";
import { gzip } from "node:zlib";
import { LonghaulError } from "@longhaul/conversation";
import { DAY_MS } from "@longhaul/fit";
import type { Config } from "@longhaul/settings";
import type { Contents } from "@longhaul/store";
import { asBuffer } from "@longhaul/upstream";
import type { EndedRequest, Observer } from "./observer.ts";

/** Keeps what requests said, where the operator wants that. */
export interface ContentsKeeper extends Observer {
  /** Requests whose contents were lost. */
  dropped(): number;
  /** Keeps what is waiting. */
  close(): Promise<void>;
}

/** What keeping takes from outside. */
export interface KeepContentsOptions {
  readonly contents: Pick<Contents, "put" | "prune">;
  readonly settings: () => Config["contents"];
  readonly nowMs: () => number;
  /** Told once for each time that contents begin to be lost. */
  readonly warn: (what: string) => void;
}

/** Bodies that wait to be packed take no more memory than this. */
const MAX_WAITING_BYTES = 64 * 1024 * 1024;
/** Whenever so much was put, the oldest make room. */
const PRUNE_EVERY_BYTES = 8 * 1024 * 1024;
const MIB = 1024 * 1024;
const pack = promisify(gzip);

/** Opens a keeper. Bodies are packed one after the other in Node's own threads, after their answers were sent; nobody waits for that. */
export function openContentsKeeper({ contents, settings, nowMs, warn }: KeepContentsOptions): ContentsKeeper {
  let waitingBytes = 0;
  let putBytes = 0;
  const losses = makeLosses(warn);
  let keeping = Promise.resolve();
  const keep = async ({ event, before, after, sentWire }: ToKeep) => {
    const packed = { before: await pack(before), ...(after !== undefined && { after: await pack(after) }) };
    const { id: requestId, tenant, session, atMs, wire } = event;
    await contents.put({ requestId, tenant, session, atMs, wire, sentWire, ...packed });
    losses.end();
    putBytes += packed.before.length + (packed.after?.length ?? 0);
    if (putBytes < PRUNE_EVERY_BYTES) return;
    putBytes = 0;
    const { keepDays, maxMiB } = settings();
    await contents.prune(nowMs() - keepDays * DAY_MS, maxMiB * MIB);
  };
  return {
    finished: (request) => {
      const wanted = toKeep(request, settings().keep);
      if (wanted === undefined) return;
      const bytes = wanted.before.length + (wanted.after?.length ?? 0);
      if (waitingBytes + bytes > MAX_WAITING_BYTES) {
        losses.add("there are more than can wait to be packed");
        return;
      }
      waitingBytes += bytes;
      keeping = keeping
        .then(() => keep(wanted))
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

/** Counts what is lost, and tells when that begins. */
function makeLosses(warn: KeepContentsOptions["warn"]) {
  let count = 0;
  let isLosing = false;
  return {
    count: () => count,
    add: (why: string) => {
      count += 1;
      if (!isLosing) warn(`contents of requests are being lost: ${why}; requests are not held up by that`);
      isLosing = true;
    },
    end: () => {
      isLosing = false;
    },
  };
}

function reasonOf(error: unknown): string {
  return error instanceof LonghaulError ? `the store would not have them (${error.code})` : "the store failed";
}

interface ToKeep {
  readonly event: EndedRequest["event"];
  readonly before: Uint8Array;
  readonly after: Uint8Array | undefined;
  readonly sentWire: string;
}

function toKeep({ event, received, sent }: EndedRequest, keep: Config["contents"]["keep"]): ToKeep | undefined {
  const isWanted = keep === "all" || (keep === "condensed" && event.strategy !== "");
  if (!isWanted || received === undefined || event.action !== "generate") return undefined;
  const isSame = sent === undefined || asBuffer(sent.body).equals(received);
  return { event, before: received, after: isSame ? undefined : sent.body, sentWire: sent?.wire ?? event.wire };
}

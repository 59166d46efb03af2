import { randomFillSync } from "node:crypto";
import type { LonghaulError, Usage } from "@longhaul/conversation";
import type { CondensedNote, Fitted, SizedNote } from "@longhaul/fit";
import type { ModelMatch } from "@longhaul/models";
import type { Warning } from "@longhaul/wire";
import type { SentBody } from "../events/observer.ts";
import type { Identity } from "../keys/caller.ts";
import type { ObservedCondensation } from "../logging/log.ts";
import type { Endpoint } from "./endpoints.ts";

/** The facts of one request. Each stage writes what it knows; the record stage turns them into log line, event, metrics and calibration. */
export interface RequestRecord {
  readonly id: string;
  /** Arrival on the monotonic clock. */
  readonly startedMs: number;
  /** Arrival on the calendar. */
  readonly atMs: number;
  readonly traceparent?: string | undefined;
  /** Absent if the model API has no such path. */
  endpoint?: Endpoint;
  /** Absent if the gateway requires no keys. */
  identity?: Identity;
  /** The model name that the client sent. */
  model?: string;
  /** The upstream that was called last. */
  sentTo?: SentTo;
  /** The prompt size by our own count, if the operator logs it. */
  promptTokens?: number;
  warnings: readonly Warning[];
  /** Reads the usage that the upstream has reported so far. */
  usage?: () => Usage | undefined;
  /** Whether the model reached the end of its window while answering. */
  isWindowExceeded?: () => boolean;
  /** Number of marks that the model copied into the arguments of its calls, so far. */
  copiedMarks?: () => number;
  sized?: SizedNote;
  /** Set if the request was condensed for the last destination. */
  condensed?: CondensedNote | undefined;
  /** Set if condensing is only observed. */
  observed?: ObservedCondensation;
  /** The form that was sent last: the reported usage calibrates its token count. */
  calibration?: Fitted | undefined;
  error?: LonghaulError;
  /** The message of an error that is safe to store: without credentials and without quotes of the request. */
  errorMessage?: string;
  /** Number of calls to upstreams. */
  attempts: number;
  /** Time spent waiting for upstreams before the first byte of the answer, including pauses between retries. */
  waitedMs: number;
  /** Time until the whole request had arrived. */
  receivedMs?: number;
  /** Time until the first byte of the answer was sent. */
  firstByteMs?: number;
  /** The bodies, if the operator stores contents. */
  received?: Uint8Array;
  sent?: SentBody;
}

interface SentTo {
  readonly upstream: string;
  /** The model name that the upstream got. */
  readonly model: string;
  readonly match?: ModelMatch | undefined;
}

export function openRecord(id: string, traceparent?: string | undefined): RequestRecord {
  const times = { startedMs: performance.now(), atMs: Date.now() };
  return { id, ...times, traceparent, warnings: [], attempts: 0, waitedMs: 0 };
}

/** Adds to the time spent waiting for upstreams, unless the answer has begun. */
export function addWait(record: RequestRecord, ms: number): void {
  if (record.firstByteMs === undefined) record.waitedMs += ms;
}

/** Runs an upstream call or a pause before a retry, and records how long it took. */
export async function timeWait<T>(record: RequestRecord, act: () => Promise<T>): Promise<T> {
  const fromMs = performance.now();
  try {
    return await act();
  } finally {
    addWait(record, performance.now() - fromMs);
  }
}

/** The header with the request id, on every answer. */
export const REQUEST_ID_HEADER = "x-longhaul-request-id";

const ID_BYTES = 16;
/** Random bytes for many ids: generating a few at a time takes ten times as long. */
const pool = Buffer.alloc(256 * ID_BYTES);
let next = pool.length;

/** Makes a request id for logs, errors and the answer's headers. */
export function makeRequestId(): string {
  if (next === pool.length) {
    randomFillSync(pool);
    next = 0;
  }
  const from = next;
  next += ID_BYTES;
  return `lh_${pool.toString("hex", from, next)}`;
}

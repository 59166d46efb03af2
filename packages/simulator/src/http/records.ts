import type { Call, Rejection } from "../core/api.ts";
import { addBilled, type Billed } from "../core/money.ts";
import type { ApiId } from "../core/prompt.ts";

/** A request and its outcome. */
export interface RecordedRequest extends Billed {
  /** Counted from 1. */
  readonly number: number;
  readonly atMs: number;
  readonly api?: ApiId;
  readonly method: string;
  readonly path: string;
  readonly headers: Readonly<Record<string, string>>;
  /** The parsed body. Only those of the latest requests are kept. */
  readonly body: unknown;
  readonly bytes: number;
  readonly model?: string;
  readonly isStream: boolean;
  readonly thinkingTokens: number;
  /** At catalog prices; absent if the model has none. */
  readonly costUsd?: number;
  /** How often the API compacted the conversation by itself. */
  readonly compactions: number;
  readonly rejected?: { readonly status: number; readonly message: string; readonly code?: string };
  readonly faults: readonly string[];
  /** Whether the client left before the response was complete. */
  readonly isClosedEarly: boolean;
}

/** Totals of all requests since the last reset. */
export interface Totals extends Billed {
  readonly requests: number;
  readonly rejected: number;
  readonly closedEarly: number;
  readonly compactions: number;
  readonly costUsd: number;
}

/** Filled in while a request is answered. */
export interface Progress {
  api?: ApiId;
  rejection?: Rejection;
  faults: readonly string[];
  isClosedEarly: boolean;
}

export interface Records {
  /** Adds a request; later facts go into its record and the returned progress. */
  add(call: Call, atMs: number): Progress;
  list(): readonly RecordedRequest[];
  totals(): Totals;
  clear(): void;
}

interface Entry {
  readonly number: number;
  readonly atMs: number;
  readonly call: Omit<Call, "body" | "bytes">;
  readonly bytes: number;
  body: unknown;
  readonly progress: Progress;
}

/** Keeps all requests, but only the latest `keptBodies` bodies. */
export function openRecords(keptBodies: number): Records {
  let entries: Entry[] = [];
  return {
    add(call, atMs) {
      const progress: Progress = { faults: [], isClosedEarly: false };
      const { body, bytes, ...rest } = call;
      entries.push({ number: entries.length + 1, atMs, call: rest, bytes: bytes.length, body, progress });
      const old = entries[entries.length - 1 - keptBodies];
      if (old !== undefined) old.body = undefined;
      return progress;
    },
    list: () => entries.map(describe),
    totals: () => totalsOf(entries.map(describe)),
    clear: () => {
      entries = [];
    },
  };
}

function describe({ number, atMs, call, bytes, body, progress }: Entry): RecordedRequest {
  const { api, faults, isClosedEarly } = progress;
  const { method, path, headers, record } = call;
  const { model, costUsd, billed = addBilled([]), thinkingTokens = 0 } = record;
  const rejection = progress.rejection ?? record.rejection;
  const code = rejection?.details.code;
  return {
    number,
    atMs,
    ...(api !== undefined && { api }),
    method,
    path,
    headers,
    body,
    bytes,
    ...(model !== undefined && { model }),
    isStream: record.isStream ?? false,
    ...billed,
    thinkingTokens,
    ...(costUsd !== undefined && { costUsd }),
    compactions: record.compactions ?? 0,
    ...(rejection !== undefined && {
      rejected: { status: rejection.status, message: rejection.message, ...(code !== undefined && { code }) },
    }),
    faults,
    isClosedEarly,
  };
}

function totalsOf(requests: readonly RecordedRequest[]): Totals {
  const sum = (value: (request: RecordedRequest) => number) =>
    requests.reduce((total, request) => total + value(request), 0);
  return {
    requests: requests.length,
    rejected: sum(({ rejected }) => (rejected === undefined ? 0 : 1)),
    closedEarly: sum(({ isClosedEarly }) => (isClosedEarly ? 1 : 0)),
    compactions: sum(({ compactions }) => compactions),
    ...addBilled(requests),
    costUsd: sum(({ costUsd }) => costUsd ?? 0),
  };
}

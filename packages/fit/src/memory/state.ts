import type { ReferenceIndex } from "@longhaul/condense/advanced";
import { LruMap } from "@longhaul/conversation/advanced";
import type { TokenCounters } from "@longhaul/models";
import { type Histories, makeHistories } from "../history/history.ts";
import type { KnownMessages } from "../history/message-memory.ts";
import { makeSummaryCosts, type SummaryCosts } from "../summaries/summary-costs.ts";
import { openWorkers, type Workers } from "../workers/workers.ts";
import { type Anchors, makeAnchors } from "./anchors.ts";
import { type Claims, makeClaims } from "./claims.ts";
import { type EpochCache, makeEpochCache } from "./epochs.ts";
import { type Jobs, makeJobs } from "./jobs.ts";
import { type Learned, openLearned } from "./learned.ts";
import { makeRenderings, type Renderings } from "./renderings.ts";
import { makeSessions, type Sessions } from "./sessions.ts";
import type { TolerantStore } from "./tolerant-store.ts";

/** Everything that fitting remembers between requests. */
export interface FitState {
  readonly histories: Histories;
  readonly epochs: EpochCache;
  readonly learned: Learned;
  readonly summaryCosts: SummaryCosts;
  readonly anchors: Anchors;
  readonly renderings: Renderings;
  readonly jobs: Jobs;
  readonly claims: Claims;
  readonly sessions: Sessions;
  readonly indexes: LruMap<KnownIndex>;
  readonly workers: Workers;
  readonly counters: TokenCounters;
  /** Returns the counter for a tokenizer and ratio: the same object every time, so that counts can be cached with it. */
  readonly counter: TokenCounters["counterFor"];
  readonly nowMs: () => number;
  close(): Promise<void>;
}

export interface FitStateOptions {
  readonly store: TolerantStore;
  readonly counters: TokenCounters;
  readonly known: KnownMessages;
  readonly nowMs: () => number;
}

/** Opens the state over a store. */
export async function openFitState({ store, counters, known, nowMs }: FitStateOptions): Promise<FitState> {
  const workers = openWorkers(counters);
  const jobs = makeJobs();
  return {
    histories: makeHistories(known, workers.measure),
    epochs: makeEpochCache({ store, nowMs }),
    learned: await openLearned(store, nowMs),
    summaryCosts: makeSummaryCosts(),
    anchors: makeAnchors(),
    renderings: makeRenderings(workers),
    jobs,
    claims: makeClaims({ leases: store.leases, nowMs }),
    sessions: makeSessions(),
    indexes: new LruMap(MAX_INDEXED_BYTES, ({ bytes }) => bytes),
    workers,
    counters,
    counter: rememberCounters(counters),
    nowMs,
    close: async () => {
      await jobs.settled();
      await workers.close();
    },
  };
}

/** An index of references, and the size of the body that it was made from: it takes less than that. */
interface KnownIndex {
  readonly index: ReferenceIndex;
  readonly bytes: number;
}

const MAX_INDEXED_BYTES = 256 * 1024 * 1024;
const MAX_COUNTERS = 1_000;

function rememberCounters(counters: TokenCounters): TokenCounters["counterFor"] {
  const known = new LruMap<ReturnType<TokenCounters["counterFor"]>>(MAX_COUNTERS);
  return (tokenizer, ratio) => {
    const key = `${tokenizer}/${ratio}`;
    const found = known.get(key) ?? counters.counterFor(tokenizer, ratio);
    known.set(key, found);
    return found;
  };
}

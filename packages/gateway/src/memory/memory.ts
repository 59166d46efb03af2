import {
  type FitState,
  makeKnownMessages,
  openFitState,
  pruneDaily,
  sha256,
  type TolerantOptions,
  tolerantStore,
} from "@longhaul/fit";
import { makeTokenCounters, type TokenCounters } from "@longhaul/models";
import type { Store } from "@longhaul/store";
import { type KeptResponses, makeKeptResponses } from "./kept-responses.ts";
import { type KeptThoughts, makeKeptThoughts } from "./kept-thoughts.ts";

/** What is remembered from one request to the next, whatever the configuration. */
export interface Memory {
  readonly counters: TokenCounters;
  readonly responses: KeptResponses;
  readonly thoughts: KeptThoughts;
  readonly fitting: FitState;
  /** Waits for what is under way, and closes what was opened; the store stays open. */
  close(): Promise<void>;
}

/** Opens a memory over a store. A store that fails or is late is reported by `warn`; requests go on. */
export async function openMemory(kept: Store, options: TolerantOptions = {}): Promise<Memory> {
  const { nowMs = Date.now } = options;
  const store = tolerantStore(kept, options);
  const counters = makeTokenCounters({ hash: sha256 });
  const known = makeKnownMessages();
  const fitting = await openFitState({ store, counters, known, nowMs });
  const stopPruning = await pruneDaily(store, nowMs);
  const stopListening = kept.changes.listen((kind) => {
    if (kind === "epochs") fitting.shelf.clear();
  });
  return {
    counters,
    responses: makeKeptResponses({ nowMs }),
    thoughts: makeKeptThoughts(),
    fitting,
    close: async () => {
      stopPruning();
      stopListening();
      await fitting.close();
    },
  };
}

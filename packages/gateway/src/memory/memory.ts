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
import { KeptResponses } from "./kept-responses.ts";
import { type KeptThoughts, makeKeptThoughts } from "./kept-thoughts.ts";

/** State that outlives requests and reloads of the configuration. */
export interface Memory {
  readonly counters: TokenCounters;
  readonly responses: KeptResponses;
  readonly thoughts: KeptThoughts;
  readonly fitting: FitState;
  /** Waits for running work and closes; the store stays open. */
  close(): Promise<void>;
}

/** Opens a memory over a store. If the store fails or is late, `warn` is called and requests go on. */
export async function openMemory(kept: Store, options: TolerantOptions = {}): Promise<Memory> {
  const { nowMs = Date.now } = options;
  const store = tolerantStore(kept, options);
  const counters = makeTokenCounters({ hash: sha256 });
  const known = makeKnownMessages({ store: store.fronts });
  const fitting = await openFitState({ store, counters, known, nowMs });
  const stopPruning = await pruneDaily(store, nowMs);
  const stopListening = kept.changes.listen((kind) => {
    if (kind === "epochs") fitting.epochs.clear();
  });
  return {
    counters,
    responses: new KeptResponses({ nowMs }),
    thoughts: makeKeptThoughts(),
    fitting,
    close: async () => {
      stopPruning();
      stopListening();
      await fitting.close();
    },
  };
}

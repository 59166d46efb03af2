import { makeTokenCounters } from "@longhaul/models";
import { openStore, type Store } from "@longhaul/store";
import { afterAll, onTestFinished } from "vitest";
import { sha256 } from "../history/known-messages.ts";
import { makeKnownMessages } from "../history/message-memory.ts";
import { type FitState, openFitState } from "../memory/state.ts";
import { tolerantStore } from "../memory/tolerant-store.ts";

/** An empty store that is closed with the test or its file. */
export async function makeStore(nowMs: () => number = () => 0): Promise<Store> {
  const store = await openStore({ path: ":memory:", nowMs });
  afterwards(() => store.close());
  return store;
}

/** Longer than any read: on a busy machine a late one would count as empty. */
const STORE_WAIT_MS = 60_000;

/** A fit state that is closed with the test or its file. */
export async function makeFitState(nowMs: () => number = () => 0, store?: Store): Promise<FitState> {
  const kept = tolerantStore(store ?? (await makeStore(nowMs)), { nowMs, waitMs: () => STORE_WAIT_MS });
  const counters = makeTokenCounters({ hash: sha256 });
  const state = await openFitState({ store: kept, counters, known: makeKnownMessages(), nowMs });
  afterwards(() => state.close());
  return state;
}

/** Outside of a test it is shared by all tests of the file. */
function afterwards(close: () => Promise<void>): void {
  try {
    onTestFinished(close);
  } catch {
    afterAll(close);
  }
}

import { afterEach, describe } from "vitest";
import type { Store } from "../contract/store.ts";
import { describeChanges, describeLeases } from "./describe-coordination.ts";
import { describeEpochs } from "./describe-epochs.ts";
import { describeContents, describeEvents } from "./describe-events.ts";
import { describeFronts } from "./describe-fronts.ts";
import { describeHandles } from "./describe-handles.ts";
import { describeKeys, describeSignIns } from "./describe-keys.ts";
import { describeCalibrations, describeWindows } from "./describe-learned.ts";
import { describeLimits } from "./describe-limits.ts";
import { describeSessions } from "./describe-sessions.ts";
import { describePresets, describeSettings } from "./describe-settings.ts";
import { describeTotals } from "./describe-totals.ts";

/** Opens a store. The same name opens the same database; a new name opens an empty one. */
type OpenStore = (name: string, nowMs: () => number) => Promise<Store>;

/** Parts of the suite that an implementation cannot support, with the reason. */
export interface Skips {
  readonly reopening?: string;
}

/** Opens stores for a suite: each test has its own database, and its stores are closed after it. */
export interface StoreOpener {
  /** The clock of every store, which only the tests move. */
  readonly clock: { nowMs: number };
  /** Opens this test's database, or another one by name. */
  open(name?: string): Promise<Store>;
  /** Two handles on this test's database; the same one twice if reopening is skipped. */
  openTwo(): Promise<readonly [Store, Store]>;
}

/** The shared suite that every store must pass. */
export function describeStore(name: string, openStore: OpenStore, skips: Skips = {}): void {
  describe(name, () => {
    const opening = makeStoreOpener(openStore, skips);
    describeEpochs(opening, skips);
    describeFronts(opening);
    describeWindows(opening);
    describeCalibrations(opening);
    describeSettings(opening);
    describePresets(opening);
    describeKeys(opening);
    describeLimits(opening);
    describeEvents(opening);
    describeSessions(opening);
    describeTotals(opening);
    describeContents(opening);
    describeLeases(opening);
    describeSignIns(opening);
    describeChanges(opening);
    describeHandles(opening, skips);
  });
}

function makeStoreOpener(openStore: OpenStore, { reopening }: Skips): StoreOpener {
  const clock = { nowMs: 0 };
  const stores: Store[] = [];
  let tests = 0;
  afterEach(async () => {
    tests++;
    clock.nowMs = 0;
    for (const store of stores.splice(0)) await store.close();
  });
  const open = async (name = "database") => {
    const store = await openStore(`${name}-${tests}`, () => clock.nowMs);
    stores.push(store);
    return store;
  };
  const openTwo = async () => {
    const store = await open();
    return [store, reopening === undefined ? await open() : store] as const;
  };
  return { clock, open, openTwo };
}

import { afterEach, describe, expect, it } from "vitest";
import type { Store } from "../store.ts";
import { describeCalibrations } from "./describe-calibrations.ts";
import { describeChanges } from "./describe-changes.ts";
import { describeContents } from "./describe-contents.ts";
import { describeEpochs } from "./describe-epochs.ts";
import { describeEvents } from "./describe-events.ts";
import { describeKeys } from "./describe-keys.ts";
import { describeLeases } from "./describe-leases.ts";
import { describeLimits } from "./describe-limits.ts";
import { describePresets } from "./describe-presets.ts";
import { describeSettings } from "./describe-settings.ts";
import { describeSignIns } from "./describe-sign-ins.ts";
import { describeTotals } from "./describe-totals.ts";
import { describeWindows } from "./describe-windows.ts";
import { makeCalibration, makeEpoch, makeWindow } from "./make.ts";

/** Opens a store. What is opened twice under one name is one database; a name that was not used before is an empty one. */
export type OpenStore = (name: string, nowMs: () => number) => Promise<Store>;

/** What an implementation can't do by its nature, and why. */
export interface Skips {
  readonly reopening?: string;
}

/** What a suite opens its stores with: each test has its own database, and all are closed after it. */
export interface Opening {
  /** The clock of every store, which stands still until a test moves it. */
  readonly clock: { nowMs: number };
  /** Opens this test's database, or one of another name. */
  open(name?: string): Promise<Store>;
  /** Two handles on this test's database; the same one twice where a database has no more. */
  openTwo(): Promise<readonly [Store, Store]>;
}

/** What every store has to do. */
export function describeStore(name: string, openStore: OpenStore, skips: Skips = {}): void {
  describe(name, () => {
    const opening = makeOpening(openStore, skips);
    describeEpochs(opening, skips);
    describeWindows(opening);
    describeCalibrations(opening);
    describeSettings(opening);
    describePresets(opening);
    describeKeys(opening);
    describeLimits(opening);
    describeEvents(opening);
    describeTotals(opening);
    describeContents(opening);
    describeLeases(opening);
    describeSignIns(opening);
    describeChanges(opening);
    describeHandles(opening, skips);
  });
}

function makeOpening(openStore: OpenStore, { reopening }: Skips): Opening {
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

function describeHandles({ open }: Opening, { reopening }: Skips): void {
  describe.skipIf(reopening !== undefined)(`opened again${reopening === undefined ? "" : `: ${reopening}`}`, () => {
    it("has lost nothing", async () => {
      const before = await open();
      await fill(before);
      await before.close();
      expect(await contentOf(await open())).toEqual(FULL);
    });

    it("sees what another handle writes, and shows it what it writes", async () => {
      const first = await open();
      const second = await open();
      await fill(first);
      expect(await contentOf(second)).toEqual(FULL);
      await second.epochs.remove("scope", "prefix");
      await second.windows.forget(makeWindow());
      await second.calibrations.save(makeCalibration({ state: { ratio: 2, learnt: 9, ignored: 1 } }));
      expect(await contentOf(first)).toEqual({
        epochs: [],
        windows: [],
        calibrations: [makeCalibration({ state: { ratio: 2, learnt: 9, ignored: 1 } })],
      });
    });

    it("takes the writes of two handles at once", async () => {
      const handles = [await open(), await open()];
      const prefixes = Array.from({ length: 100 }, (_, index) => `prefix-${index}`);
      await Promise.all(prefixes.map((prefix, index) => handles[index % 2]?.epochs.put(makeEpoch({ prefix }))));
      expect(await handles[0]?.epochs.find("scope", prefixes)).toHaveLength(100);
    });
  });

  it("shares nothing with a database of another name", async () => {
    await fill(await open());
    expect(await contentOf(await open("another"))).toEqual({ epochs: [], windows: [], calibrations: [] });
  });

  it("is closed twice without complaint, and then refuses", async () => {
    const store = await open();
    await fill(store);
    await store.close();
    await store.close();
    const closed = { name: "LonghaulError", code: "store.unavailable" };
    await expect(store.epochs.find("scope", ["prefix"])).rejects.toMatchObject(closed);
    await expect(store.epochs.put(makeEpoch())).rejects.toMatchObject(closed);
    await expect(store.windows.learn(makeWindow())).rejects.toMatchObject(closed);
    await expect(store.calibrations.load()).rejects.toMatchObject(closed);
  });
}

const FULL = { epochs: [makeEpoch()], windows: [makeWindow()], calibrations: [makeCalibration()] };

async function fill(store: Store): Promise<void> {
  await store.epochs.put(makeEpoch());
  await store.windows.learn(makeWindow());
  await store.calibrations.save(makeCalibration());
}

async function contentOf(store: Store) {
  return {
    epochs: await store.epochs.find("scope", ["prefix"]),
    windows: await store.windows.list(),
    calibrations: await store.calibrations.load(),
  };
}

import { describe, expect, it } from "vitest";
import type { Store } from "../contract/store.ts";
import type { Skips, StoreOpener } from "./describe-store.ts";
import {
  makeCalibration,
  makeContent,
  makeEpoch,
  makeKey,
  makeLease,
  makeLimitEntry,
  makePreset,
  makeRequestEvent,
  makeSettingsChange,
  makeWindow,
} from "./make.ts";

export function describeHandles({ open, openTwo }: StoreOpener, { reopening }: Skips): void {
  describe.skipIf(reopening !== undefined)(`reopened${reopening === undefined ? "" : `: ${reopening}`}`, () => {
    it("still has everything", async () => {
      const before = await open();
      await fill(before);
      await before.close();
      expect(await contentOf(await open())).toEqual(FULL);
    });

    it("shares writes between two handles in both directions", async () => {
      const [first, second] = await openTwo();
      await fill(first);
      expect(await contentOf(second)).toEqual(FULL);
      await second.epochs.remove("scope", "prefix");
      await second.presets.remove("careful");
      await second.events.clear("tenant", "session");
      expect(await contentOf(first)).toEqual({ ...FULL, epochs: [], presets: [], requests: [] });
    });

    it("accepts writes of two handles at once", async () => {
      const handles = [await open(), await open()];
      const prefixes = Array.from({ length: 100 }, (_, index) => `prefix-${index}`);
      await Promise.all(prefixes.map((prefix, index) => handles[index % 2]?.epochs.put(makeEpoch({ prefix }))));
      expect(await handles[0]?.epochs.find("scope", prefixes)).toHaveLength(100);
    });
  });

  it("shares nothing with another database", async () => {
    await fill(await open());
    expect(await contentOf(await open("another"))).toEqual(EMPTY);
  });

  it("can be closed twice, and rejects calls afterwards", async () => {
    const store = await open();
    await fill(store);
    await store.close();
    await store.close();
    const closed = { name: "LonghaulError", code: "store.unavailable" };
    await expect(store.epochs.find("scope", ["prefix"])).rejects.toMatchObject(closed);
    await expect(store.epochs.put(makeEpoch())).rejects.toMatchObject(closed);
    await expect(store.windows.learn(makeWindow())).rejects.toMatchObject(closed);
    await expect(store.calibrations.load()).rejects.toMatchObject(closed);
    await expect(store.settings.change(makeSettingsChange())).rejects.toMatchObject(closed);
    await expect(store.keys.find("hash")).rejects.toMatchObject(closed);
    await expect(store.limits.enter(makeLimitEntry())).rejects.toMatchObject(closed);
    await expect(store.leases.take(makeLease())).rejects.toMatchObject(closed);
  });
}

const FULL = {
  epochs: [makeEpoch()],
  windows: [makeWindow()],
  calibrations: [makeCalibration()],
  settings: { revision: 1, values: { "context.strategy": "smart" } },
  presets: [makePreset()],
  keys: [makeKey()],
  underWay: 1,
  requests: [makeRequestEvent()],
  content: makeContent(),
  signedInUntilMs: 9,
};

const EMPTY = {
  epochs: [],
  windows: [],
  calibrations: [],
  settings: { revision: 0, values: {} },
  presets: [],
  keys: [],
  underWay: 0,
  requests: [],
  content: undefined,
  signedInUntilMs: undefined,
};

async function fill(store: Store): Promise<void> {
  await store.epochs.put(makeEpoch());
  await store.windows.learn(makeWindow());
  await store.calibrations.save(makeCalibration());
  await store.settings.change(makeSettingsChange());
  await store.presets.put(makePreset());
  await store.keys.create(makeKey());
  await store.limits.enter(makeLimitEntry());
  await store.events.add({ requests: [makeRequestEvent()], condensations: [] });
  await store.contents.put(makeContent());
  await store.signIns.add("hash", 9);
}

async function contentOf(store: Store) {
  return {
    epochs: await store.epochs.find("scope", ["prefix"]),
    windows: await store.windows.list(),
    calibrations: await store.calibrations.load(),
    settings: await store.settings.load(),
    presets: await store.presets.list(),
    keys: await store.keys.list(),
    underWay: (await store.limits.used("key", 0)).underWay,
    requests: await store.events.requests({ limit: 9 }),
    content: await store.contents.find("request"),
    signedInUntilMs: await store.signIns.find("hash", 0),
  };
}

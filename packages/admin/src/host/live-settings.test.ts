import { LonghaulError } from "@longhaul/conversation";
import { makeStore } from "@longhaul/fit/testing";
import type { LayeredSettings, SettingLayers } from "@longhaul/settings";
import type { Store } from "@longhaul/store";
import { describe, expect, it } from "vitest";
import { changedValues, checkChange, LiveSettings, singleChanges } from "./live-settings.ts";

const FILE = {
  upstreams: { up: { kind: "openai", apiKey: "hush" } },
  routes: [{ match: "*", upstream: "up" }],
  context: { threshold: 80 },
};

/** A threshold that cannot be activated. */
const REFUSED = 33;

/** Live settings over a store, and the settings that they activated. */
async function openLive(given: { store?: Store; layers?: SettingLayers } = {}) {
  const store = given.store ?? (await makeStore(() => 7));
  const applied: LayeredSettings[] = [];
  const live = await LiveSettings.open(given.layers ?? { file: FILE }, {
    stored: store.settings,
    nowMs: () => 7,
    check: ({ models }) => {
      if ("bad" in models) throw new LonghaulError("catalog.invalid", "models.bad: no");
    },
    apply: (layered) => {
      if (layered.config.context.threshold === REFUSED) throw new LonghaulError("settings.invalid", "no");
      applied.push(layered);
    },
  });
  const settingAt = (path: string) => live.effective().find((each) => each.path === path);
  return { live, store, applied, settingAt };
}

it("starts over with the settings of a replaced database", async () => {
  const stores = await Promise.all([1, 2].map(() => makeStore(() => 7)));
  let settings = stores[0]?.settings;
  const moved = new Proxy({}, { get: (_, name) => Reflect.get(settings ?? {}, name) });
  const { live, applied } = await openLive({ store: { ...stores[0], settings: moved } as Store });
  for (const value of [60, 50]) await live.change({ entries: [{ path: "context.threshold", value }], by: "anna" });
  settings = stores[1]?.settings;
  await live.refresh();
  expect([live.revision, live.layered.config.context.threshold]).toEqual([2, 50]);
  await live.startOver();
  expect([live.revision, applied.at(-1)?.config.context.threshold]).toEqual([0, 80]);
  expect(await live.change({ entries: [{ path: "context.threshold", value: 70 }], by: "anna" })).toBe(1);
});

describe("a change", () => {
  it("is stored, activated and listed with its source", async () => {
    const { live, applied, settingAt } = await openLive();
    expect(settingAt("context.threshold")).toMatchObject({ value: 80, origin: "file" });
    const revision = await live.change({ entries: [{ path: "context.threshold", value: 60 }], by: "anna" });
    expect([revision, live.revision, applied.length]).toEqual([1, 1, 1]);
    expect(applied[0]?.config.context.threshold).toBe(60);
    expect(settingAt("context.threshold")).toMatchObject({
      value: 60,
      origin: "stored",
      setting: { group: "context" },
    });
    await live.change({ entries: [{ path: "context.threshold" }], by: "anna" });
    expect(settingAt("context.threshold")).toMatchObject({ value: 80, origin: "file" });
  });

  it("may set and remove a whole section", async () => {
    const { live } = await openLive();
    const profile = { upstream: "up", model: "gpt-4o-mini", context: { threshold: -1 } };
    await live.change({ entries: [{ path: "profiles.cheap", value: profile }], by: "anna" });
    expect(live.layered.config.profiles.cheap).toEqual(profile);
    await live.change({ entries: [{ path: "profiles.cheap" }], by: "anna" });
    expect(live.layered.config.profiles).toEqual({});
  });

  it("names every invalid path and changes nothing", async () => {
    const { live, applied, store } = await openLive();
    const entries = [
      { path: "log.level", value: "loud" },
      { path: "context.strategies.sandwich", value: { preserveTop: -1 } },
      { path: "store.path", value: "x" },
      { path: "log.tokens", value: true },
    ];
    await expect(live.change({ entries, by: "anna" })).rejects.toMatchObject({
      code: "settings.invalid",
      message: expect.stringMatching(/3 errors:\n.*store\.path: .*\n.*log\.level: .*\n.*sandwich: /),
    });
    expect([applied, (await store.settings.load()).revision]).toEqual([[], 0]);
  });

  it("may not invalidate stored settings", async () => {
    const { live } = await openLive();
    const cheap = { path: "profiles.cheap", value: { upstream: "up", model: "m" } };
    await live.change({ entries: [cheap, { path: "context.summarizer", value: "cheap" }], by: "anna" });
    await expect(live.change({ entries: [{ path: "profiles.cheap" }], by: "anna" })).rejects.toThrow(
      'context.summarizer: profile "cheap" does not exist',
    );
  });

  it("is checked by the host", async () => {
    const { live } = await openLive();
    const entries = [{ path: "models.bad", value: {} }];
    await expect(live.change({ entries, by: "anna" })).rejects.toThrow("models.bad: models.bad: no");
  });

  it("conflicts if it is based on an older revision, and retries without one", async () => {
    const { live, store } = await openLive();
    const other = await openLive({ store });
    await other.live.change({ entries: [{ path: "log.tokens", value: true }], by: "bob" });
    const entries = [{ path: "log.level", value: "warn" }];
    await expect(live.change({ entries, by: "anna", ifRevision: 0 })).rejects.toMatchObject({ code: "store.conflict" });
    expect(live.layered.config.log).toMatchObject({ tokens: true, level: "info" });
    expect(await live.change({ entries, by: "anna", ifRevision: 1 })).toBe(2);
    expect(await other.live.change({ entries: [{ path: "log.tokens" }], by: "bob" })).toBe(3);
    expect(other.live.layered.config.log).toMatchObject({ tokens: false, level: "warn" });
  });
});

describe("history", () => {
  it("lists who changed what, and undoes one record", async () => {
    const { live } = await openLive();
    const set = (path: string, value: string | number) => live.change({ entries: [{ path, value }], by: "anna" });
    await set("context.threshold", 60);
    await set("context.threshold", 50);
    await set("log.level", "warn");
    expect(await live.history({ limit: 2 })).toMatchObject([
      { revision: 3, path: "log.level", after: "warn", by: "anna", atMs: 7 },
      { revision: 2, path: "context.threshold", before: 60, after: 50 },
    ]);
    await live.undo({ revision: 2, path: "context.threshold" }, "bob");
    expect(live.layered.config.context.threshold).toBe(60);
    await live.undo({ revision: 1, path: "context.threshold" }, "bob");
    expect(live.layered.config).toMatchObject({ context: { threshold: 80 }, log: { level: "warn" } });
  });

  it("contains no secrets and so cannot restore them", async () => {
    const { live } = await openLive();
    await live.change({ entries: [{ path: "upstreams.up.apiKey", value: "hush-hush" }], by: "anna" });
    expect(live.layered.config.upstreams.up?.apiKey).toBe("hush-hush");
    const records = await live.history({ limit: 9 });
    expect(records).toMatchObject([{ path: "upstreams.up.apiKey", isSecret: true }]);
    expect(JSON.stringify([records, live.effective()])).not.toContain("hush");
    await expect(live.undo({ revision: 1, path: "upstreams.up.apiKey" }, "bob")).rejects.toThrow(
      "the history contains no secrets",
    );
  });

  it("undoes all changes of a revision", async () => {
    const { live } = await openLive();
    await live.change({ entries: [{ path: "log.tokens", value: true }], by: "ann" });
    const entries = [
      { path: "log.tokens", value: false },
      { path: "context.threshold", value: 50 },
    ];
    await live.change({ entries, by: "ann" });
    const { revision, paths } = await live.undo({ revision: 2 }, "bob");
    expect([revision, paths.toSorted()]).toEqual([3, ["context.threshold", "log.tokens"]]);
    expect(live.layered.config).toMatchObject({ log: { tokens: true } });
    expect(live.layered.config.context.threshold).toBe(80);
  });

  it("rejects an undo of a revision without that change", async () => {
    const { live } = await openLive();
    await live.change({ entries: [{ path: "log.tokens", value: true }], by: "anna" });
    await expect(live.undo({ revision: 2, path: "log.tokens" }, "bob")).rejects.toThrow("did not change it");
    await expect(live.undo({ revision: 1, path: "log.level" }, "bob")).rejects.toThrow("did not change it");
  });
});

describe("reload", () => {
  it("keeps stored values over another file", async () => {
    const { live, settingAt } = await openLive();
    await live.change({ entries: [{ path: "log.level", value: "warn" }], by: "anna" });
    live.reload({ file: { ...FILE, log: { level: "debug", tokens: true } } });
    expect(live.layered.config.log).toMatchObject({ level: "warn", tokens: true });
    expect(settingAt("log.tokens")).toMatchObject({ origin: "file" });
  });

  it("throws if it cannot be activated, and keeps the previous settings", async () => {
    const { live, settingAt } = await openLive();
    const file = { ...FILE, context: { threshold: REFUSED }, log: { level: "warn" } };
    expect(() => live.reload({ file })).toThrow("no");
    await live.change({ entries: [{ path: "log.tokens", value: true }], by: "anna" });
    expect(settingAt("context.threshold")).toMatchObject({ value: 80, origin: "file" });
    expect(settingAt("log.level")).toMatchObject({ origin: "default" });
  });

  it("of an invalid file throws and changes nothing", async () => {
    const { live, applied } = await openLive();
    expect(() => live.reload({ file: { log: { level: "loud" } } })).toThrow("log.level");
    expect(() => live.reload({ file: { models: { bad: {} } } })).toThrow("models.bad: no");
    const check = () => {
      throw new LonghaulError("settings.invalid", "not now");
    };
    expect(() => live.reload({ file: FILE, check })).toThrow("not now");
    expect([applied, live.layered.config.context.threshold]).toEqual([[], 80]);
  });
});

it("starts with an invalid stored value", async () => {
  const { store } = await openLive();
  const entries = [{ path: "context.summarizer", value: "gone" }];
  await store.settings.change({ entries, by: "anna", atMs: 1 });
  const { live } = await openLive({ store });
  expect(live.layered.leftOut).toMatchObject([{ path: "context.summarizer" }]);
  await live.change({ entries: [{ path: "log.tokens", value: true }], by: "anna" });
  await live.change({ entries: [{ path: "context.summarizer" }], by: "anna" });
  expect(live.layered.leftOut).toEqual([]);
});

const STORED = { "profiles.a.model": "m", "profiles.a.context.threshold": 50, "profiles.ab.model": "n" };

describe("singleChanges", () => {
  it("splits a section into its settings", () => {
    expect(singleChanges({ path: "log", value: { level: "info", tokens: true } }, {})).toEqual([
      { path: "log.level", value: "info" },
      { path: "log.tokens", value: true },
    ]);
  });

  it("removes everything stored in a section", () => {
    expect(singleChanges({ path: "profiles.a" }, STORED)).toEqual([
      { path: "profiles.a.model" },
      { path: "profiles.a.context.threshold" },
    ]);
    expect(singleChanges({ path: "log.level" }, STORED)).toEqual([{ path: "log.level" }]);
  });
});

it("changedValues sets and removes values", () => {
  const changes = [{ path: "profiles.a.model" }, { path: "log.tokens", value: false }];
  expect(changedValues(STORED, changes)).toEqual({
    "profiles.a.context.threshold": 50,
    "profiles.ab.model": "n",
    "log.tokens": false,
  });
});

describe("checkChange", () => {
  const leftOut = (...paths: string[]) => ({ leftOut: paths.map((path) => ({ path, why: "bad" })) });

  it("names every fault of the result", () => {
    const changes = [{ path: "log.level", value: "loud" }, { path: "log.colour" }];
    expect(() => checkChange(changes, leftOut(), leftOut("log.level", "context.summarizer"))).toThrow(
      "the change has 3 errors:\n  - log.level: bad\n  - context.summarizer: bad\n  - log.colour: unknown setting",
    );
  });

  it("names a setting once that others depend on", () => {
    const needed = { why: "is needed", at: "upstreams.a.baseUrl" };
    const after = [
      { path: "upstreams.a.baseUrl", why: "bad" },
      { path: "upstreams.a.kind", ...needed },
      { path: "upstreams.a.apiKey", ...needed },
    ];
    expect(() => checkChange([], leftOut(), { leftOut: after })).toThrow(
      "the change has 1 error:\n  - upstreams.a.baseUrl: bad",
    );
  });

  it("accepts earlier faults unless they are set again", () => {
    const before = leftOut("log.level", "old.path");
    const changes = [{ path: "log.tokens", value: true }, { path: "old.path" }];
    expect(() => checkChange(changes, before, leftOut("log.level"))).not.toThrow();
    expect(() => checkChange([{ path: "log.level", value: "loud" }], before, before)).toThrow("log.level: bad");
  });
});

import { afterEach, beforeEach, describe, expect, it, vi } from "vitest";
import type { ChangeKind } from "../contract/coordination.ts";
import type { Store } from "../contract/store.ts";
import { makeEpoch, makeKey, makeLease, makePreset, makeSettingsChange } from "../testing/make.ts";
import { makeEngine, openDatabase, readRevisions } from "../testing/open-database.ts";
import { makeLeases, watchRevisions } from "./coordination.ts";
import { makeStore } from "./make-store.ts";
import type { Database } from "./tables.ts";

describe("revisions", () => {
  let database: Database;
  let store: Pick<Store, "settings" | "presets" | "keys" | "epochs">;
  let notified: ChangeKind[];
  beforeEach(async () => {
    notified = [];
    database = await openDatabase();
    const notify = async (_: unknown, kind: ChangeKind) => void notified.push(kind);
    store = makeStore(makeEngine(database, { notify }));
    await store.keys.create(makeKey());
    await store.presets.put(makePreset());
    await store.epochs.put(makeEpoch({ session: "over" }));
    notified.length = 0;
  });
  afterEach(() => database.destroy());

  it.each<[string, ChangeKind, () => Promise<unknown>]>([
    ["settings change", "settings", () => store.settings.change(makeSettingsChange({ ifRevision: 0 }))],
    ["a preset is stored", "presets", () => store.presets.put(makePreset())],
    ["a preset is removed", "presets", () => store.presets.remove("careful")],
    ["a key is created", "keys", () => store.keys.create(makeKey({ id: "new", hash: "new" }))],
    ["a key changes", "keys", () => store.keys.change("id", { name: "renamed" })],
    ["a key is revoked", "keys", () => store.keys.revoke("id", 1)],
    ["epochs are cleared", "epochs", () => store.epochs.clear({ session: "over" })],
  ])("grow by one and notify when %s", async (_, kind, change) => {
    const before = await readRevisions(database);
    await change();
    expect(await readRevisions(database)).toEqual({ ...before, [kind]: (before[kind] ?? 0) + 1 });
    expect(notified).toEqual([kind]);
  });

  it.each<[string, () => Promise<unknown>]>([
    ["a settings change comes too late", () => store.settings.change(makeSettingsChange({ ifRevision: 9 }))],
    ["a missing preset is removed", () => store.presets.remove("absent")],
    ["a key already exists", () => store.keys.create(makeKey()).catch(() => undefined)],
    ["a missing key is changed", () => store.keys.change("absent", { name: "renamed" })],
    ["a missing key is revoked", () => store.keys.revoke("absent", 1)],
    ["no epoch matches", () => store.epochs.clear({ session: "absent" })],
    ["an epoch is stored", () => store.epochs.put(makeEpoch({ prefix: "other" }))],
    ["an epoch is removed", () => store.epochs.remove("scope", "prefix")],
  ])("stay the same when %s", async (_, change) => {
    const before = await readRevisions(database);
    await change();
    expect(await readRevisions(database)).toEqual(before);
    expect(notified).toEqual([]);
  });

  it("do not grow if the change fails", async () => {
    const refuse = async () => Promise.reject(new Error("no listeners"));
    const { settings, presets, keys } = makeStore(makeEngine(database, { notify: refuse }));
    const before = await readRevisions(database);
    const changes = [
      () => settings.change(makeSettingsChange()),
      () => presets.put(makePreset({ name: "lost" })),
      () => keys.create(makeKey({ id: "lost", hash: "lost" })),
    ];
    for (const change of changes) await expect(change()).rejects.toThrow("no listeners");
    expect(await readRevisions(database)).toEqual(before);
    expect([await settings.load(), await presets.find("lost"), await keys.find("lost")]).toEqual([
      { revision: 0, values: {} },
      undefined,
      undefined,
    ]);
  });
});

const PAUSE_MS = 500;

describe("watchRevisions", () => {
  let database: Database;
  const notified: ChangeKind[] = [];
  beforeEach(async () => {
    vi.useFakeTimers();
    database = await openDatabase();
  });
  afterEach(() => {
    vi.useRealTimers();
    notified.length = 0;
  });

  it("reports a change once, at the next poll", async () => {
    const watch = await watchRevisions(database, () => PAUSE_MS);
    watch.listen((kind) => notified.push(kind));
    await vi.advanceTimersByTimeAsync(PAUSE_MS);
    expect(notified).toEqual([]);
    await raise("keys");
    await raise("keys");
    await vi.advanceTimersByTimeAsync(2 * PAUSE_MS);
    expect(notified).toEqual(["keys"]);
    watch.close();
  });

  it("reports everything after a reset, and lower revisions from then on", async () => {
    const watch = await watchRevisions(database, () => PAUSE_MS);
    watch.listen((kind) => notified.push(kind));
    await raise("keys");
    await raise("keys");
    await vi.advanceTimersByTimeAsync(PAUSE_MS);
    notified.length = 0;
    await database.updateTable("revisions").set({ revision: 0 }).execute();
    watch.reset();
    expect(notified).toEqual(["settings", "keys", "presets"]);
    notified.length = 0;
    await raise("keys");
    await vi.advanceTimersByTimeAsync(PAUSE_MS);
    expect(notified).toEqual(["keys"]);
    watch.close();
  });

  it("reports a change once if two polls overlap", async () => {
    const watch = await watchRevisions(database, () => PAUSE_MS);
    watch.listen((kind) => notified.push(kind));
    await raise("settings");
    await Promise.all([watch.poll(), watch.poll()]);
    expect(notified).toEqual(["settings"]);
    watch.close();
  });

  it("continues after a failed read", async () => {
    const watch = await watchRevisions(database, () => PAUSE_MS);
    watch.listen((kind) => notified.push(kind));
    await database.schema.alterTable("revisions").renameTo("elsewhere").execute();
    await vi.advanceTimersByTimeAsync(3 * PAUSE_MS);
    await database.schema.alterTable("elsewhere").renameTo("revisions").execute();
    await raise("presets");
    await vi.advanceTimersByTimeAsync(PAUSE_MS);
    expect(notified).toEqual(["presets"]);
    watch.close();
  });

  it("stops polling without listeners and after it is closed", async () => {
    const watch = await watchRevisions(database, () => PAUSE_MS);
    watch.listen(() => {})();
    watch.listen(() => {});
    watch.close();
    await vi.advanceTimersByTimeAsync(PAUSE_MS);
    expect(vi.getTimerCount()).toBe(0);
  });

  async function raise(kind: ChangeKind): Promise<void> {
    await database
      .updateTable("revisions")
      .set(({ eb }) => ({ revision: eb("revision", "+", 1) }))
      .where("kind", "=", kind)
      .execute();
  }
});

it("deletes the row of a released lease", async () => {
  const database = await openDatabase();
  const leases = makeLeases(database);
  await leases.take(makeLease());
  expect(await database.selectFrom("leases").selectAll().execute()).toHaveLength(1);
  await leases.release("summary", "holder");
  expect(await database.selectFrom("leases").selectAll().execute()).toEqual([]);
  await database.destroy();
});

import { afterEach, beforeEach, describe, expect, it } from "vitest";
import type { ChangeKind } from "../contract/changes.ts";
import type { Store } from "../store.ts";
import { makeEpoch, makeKey, makePreset, makeSettingsChange } from "../testing/make.ts";
import { makeEngine, openDatabase } from "../testing/open-database.ts";
import { readRevisions } from "../testing/read-revisions.ts";
import { makeStore } from "./make-store.ts";
import type { Database } from "./tables.ts";

describe("revisions", () => {
  let database: Database;
  let store: Pick<Store, "settings" | "presets" | "keys" | "epochs">;
  let told: ChangeKind[];
  beforeEach(async () => {
    told = [];
    database = await openDatabase();
    const notify = async (_: unknown, kind: ChangeKind) => void told.push(kind);
    store = makeStore(makeEngine(database, { notify }));
    await store.keys.create(makeKey());
    await store.presets.put(makePreset());
    await store.epochs.put(makeEpoch({ session: "over" }));
    told.length = 0;
  });
  afterEach(() => database.destroy());

  it.each<[string, ChangeKind, () => Promise<unknown>]>([
    ["settings are changed", "settings", () => store.settings.change(makeSettingsChange({ ifRevision: 0 }))],
    ["a preset is put", "presets", () => store.presets.put(makePreset())],
    ["a preset is removed", "presets", () => store.presets.remove("careful")],
    ["a key is created", "keys", () => store.keys.create(makeKey({ id: "new", hash: "new" }))],
    ["a key is changed", "keys", () => store.keys.change("id", { name: "renamed" })],
    ["a key is revoked", "keys", () => store.keys.revoke("id", 1)],
    ["epochs are cleared", "epochs", () => store.epochs.clear({ session: "over" })],
  ])("grow by one, and those who listen are told, when %s", async (_, kind, change) => {
    const before = await readRevisions(database);
    await change();
    expect(await readRevisions(database)).toEqual({ ...before, [kind]: (before[kind] ?? 0) + 1 });
    expect(told).toEqual([kind]);
  });

  it.each<[string, () => Promise<unknown>]>([
    ["settings are changed too late", () => store.settings.change(makeSettingsChange({ ifRevision: 9 }))],
    ["an absent preset is removed", () => store.presets.remove("absent")],
    ["a key is there already", () => store.keys.create(makeKey()).catch(() => undefined)],
    ["an absent key is changed", () => store.keys.change("absent", { name: "renamed" })],
    ["an absent key is revoked", () => store.keys.revoke("absent", 1)],
    ["no epoch is there to clear", () => store.epochs.clear({ session: "absent" })],
    ["an epoch is put", () => store.epochs.put(makeEpoch({ prefix: "other" }))],
    ["an epoch is removed", () => store.epochs.remove("scope", "prefix")],
  ])("stay when %s", async (_, change) => {
    const before = await readRevisions(database);
    await change();
    expect(await readRevisions(database)).toEqual(before);
    expect(told).toEqual([]);
  });

  it("do not grow without what they were to count", async () => {
    const refuse = async () => Promise.reject(new Error("nobody listens"));
    const { settings, presets, keys } = makeStore(makeEngine(database, { notify: refuse }));
    const before = await readRevisions(database);
    const changes = [
      () => settings.change(makeSettingsChange()),
      () => presets.put(makePreset({ name: "lost" })),
      () => keys.create(makeKey({ id: "lost", hash: "lost" })),
    ];
    for (const change of changes) await expect(change()).rejects.toThrow("nobody listens");
    expect(await readRevisions(database)).toEqual(before);
    expect([await settings.load(), await presets.find("lost"), await keys.find("lost")]).toEqual([
      { revision: 0, values: {} },
      undefined,
      undefined,
    ]);
  });
});

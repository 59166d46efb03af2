import type { JsonValue } from "@longhaul/conversation";
import { anyJson } from "@longhaul/conversation/testing";
import fc from "fast-check";
import { describe, expect, it } from "vitest";
import type { HistoryPage, SettingEntry, SettingRecord, SettingsChange, StoredSettings } from "../contract/settings.ts";
import type { StoreOpener } from "./describe-store.ts";
import { makePreset, makeSettingsChange } from "./make.ts";

export function describeSettings({ open, openTwo }: StoreOpener): void {
  describe("settings", () => {
    it("start empty at revision 0", async () => {
      const { settings } = await open();
      expect(await settings.load()).toEqual({ revision: 0, values: {} });
      expect(await settings.history({ limit: 10 })).toEqual([]);
    });

    it("keep any JSON, including null and empty values, until they are removed", async () => {
      const { settings } = await open();
      const values = { "a.b": null, "a.c": "", d: 0, e: false, f: { g: ["\0\ud800", 1e-7] }, __proto__: "x" };
      const entries = Object.entries(values).map(([path, value]) => ({ path, value }));
      expect(await settings.change(makeSettingsChange({ entries }))).toBe(1);
      expect(await settings.load()).toEqual({ revision: 1, values });
      expect(await settings.change(makeSettingsChange({ entries: [{ path: "a.b" }, { path: "absent" }] }))).toBe(2);
      const { "a.b": _, ...left } = values;
      expect(await settings.load()).toEqual({ revision: 2, values: left });
    });

    it("change for one of two writers that saw the same revision", async () => {
      const handles = await openTwo();
      const changes = handles.map(({ settings }) => settings.change(makeSettingsChange({ ifRevision: 0 })));
      expect((await Promise.all(changes)).sort()).toEqual([1, undefined]);
      const [{ settings }] = handles;
      expect(await settings.load()).toMatchObject({ revision: 1 });
      expect(await settings.history({ limit: 10 })).toHaveLength(1);
    });

    it("keep all of many concurrent changes", async () => {
      const handles = await openTwo();
      const paths = Array.from({ length: 20 }, (_, index) => `path-${index}`);
      const revisions = await Promise.all(
        paths.map((path, index) =>
          handles[index % 2]?.settings.change(makeSettingsChange({ entries: [{ path, value: path }] })),
        ),
      );
      expect(revisions.map(Number).sort((left, right) => left - right)).toEqual(paths.map((_, index) => index + 1));
    });

    it("record who changed what and when, latest first", async () => {
      const { settings } = await open();
      await settings.change(
        makeSettingsChange({
          entries: [
            { path: "b", value: 1 },
            { path: "a", value: null },
          ],
        }),
      );
      await settings.change(makeSettingsChange({ entries: [{ path: "b", value: 2 }], by: "grace", atMs: 7 }));
      await settings.change(makeSettingsChange({ entries: [{ path: "b" }], by: "alan", atMs: 8 }));
      const records = [
        { revision: 3, path: "b", before: 2, isSecret: false, by: "alan", atMs: 8 },
        { revision: 2, path: "b", before: 1, after: 2, isSecret: false, by: "grace", atMs: 7 },
        { revision: 1, path: "a", after: null, isSecret: false, by: "ada", atMs: 5 },
        { revision: 1, path: "b", after: 1, isSecret: false, by: "ada", atMs: 5 },
      ];
      expect(await settings.history({ limit: 10 })).toStrictEqual(records);
      expect(await settings.history({ limit: 1, beforeRevision: 2 })).toEqual(records.slice(2));
      expect(await settings.history({ limit: 2, path: "b" })).toEqual(records.slice(0, 2));
      expect(await settings.history({ limit: 2, path: "a" })).toEqual(records.slice(2, 3));
    });

    it("keep secrets out of the history", async () => {
      const { settings } = await open();
      for (const value of ["hunter2", "hunter3"]) {
        await settings.change(makeSettingsChange({ entries: [{ path: "token", value, isSecret: true }] }));
      }
      expect(await settings.load()).toEqual({ revision: 2, values: { token: "hunter3" } });
      const history = await settings.history({ limit: 10 });
      expect(history).toHaveLength(2);
      expect(
        history.every(({ isSecret, before, after }) => isSecret && before === undefined && after === undefined),
      ).toBe(true);
    });

    it("behave like a plain map for any changes", async () => {
      let runs = 0;
      await fc.assert(
        fc.asyncProperty(fc.array(anySettingsOperation(), { maxLength: 12 }), async (operations) => {
          const { settings } = await open(`run-${runs++}`);
          expect(await settingsAfter(operations, settings)).toEqual(await settingsAfter(operations, makeMapSettings()));
        }),
        { numRuns: 15 },
      );
    });
  });
}

export function describePresets({ open }: StoreOpener): void {
  describe("presets", () => {
    it("are listed and found by name", async () => {
      const { presets } = await open();
      const names = ["été", "b", "B", "a", "", "10", "9"];
      for (const name of names) await presets.put(makePreset({ name }));
      expect(await presets.list()).toStrictEqual([...names].sort().map((name) => makePreset({ name })));
      expect(await presets.find("B")).toStrictEqual(makePreset({ name: "B" }));
      expect(await presets.find("absent")).toBeUndefined();
    });

    it("are replaced by name", async () => {
      const { presets } = await open();
      await presets.put(makePreset());
      const changed = makePreset({ strategy: "native", config: { nested: { list: [null, "\0"] } }, changedAtMs: 9 });
      await presets.put(changed);
      expect(await presets.list()).toStrictEqual([changed]);
    });

    it("are removed once", async () => {
      const { presets } = await open();
      await presets.put(makePreset());
      expect(await presets.remove("careful")).toBe(true);
      expect(await presets.remove("careful")).toBe(false);
      expect(await presets.list()).toEqual([]);
    });
  });
}

/** The contract of settings as a plain map, to compare stores with. */
function makeMapSettings(): StoredSettings {
  let revision = 0;
  const values = new Map<string, JsonValue>();
  const records: SettingRecord[] = [];
  const change = ({ entries, by, atMs }: SettingsChange) => {
    revision++;
    for (const entry of [...entries].sort((left, right) => (left.path < right.path ? 1 : -1))) {
      records.unshift({ revision, path: entry.path, by, atMs, ...shown(entry, values.get(entry.path)) });
      if (entry.value === undefined) values.delete(entry.path);
      else values.set(entry.path, entry.value);
    }
    return revision;
  };
  return {
    load: async () => ({ revision, values: Object.fromEntries(values) }),
    change: async (requested) =>
      requested.ifRevision === undefined || requested.ifRevision === revision ? change(requested) : undefined,
    async history({ limit, beforeRevision = Number.POSITIVE_INFINITY, path }) {
      const found = records.filter(
        (record) => record.revision < beforeRevision && (path === undefined || path === record.path),
      );
      const revisions = new Set([...new Set(found.map((record) => record.revision))].slice(0, limit));
      return found.filter((record) => revisions.has(record.revision));
    },
  };
}

function shown({ value: after, isSecret = false }: SettingEntry, before: JsonValue | undefined) {
  return {
    isSecret,
    ...(isSecret || before === undefined ? {} : { before }),
    ...(isSecret || after === undefined ? {} : { after }),
  };
}

type SettingsOperation =
  | { readonly kind: "change"; readonly change: SettingsChange }
  | { readonly kind: "history"; readonly page: HistoryPage };

/** Any change of a few settings, some too late, and any history query. */
function anySettingsOperation(): fc.Arbitrary<SettingsOperation> {
  const path = fc.constantFrom("a", "a.b", "c");
  const entry = fc.record({ path, value: anyJson(), isSecret: fc.boolean() }, { requiredKeys: ["path"] });
  const change = fc.record(
    {
      entries: fc.uniqueArray(entry, { maxLength: 3, selector: (each) => each.path }),
      by: fc.constantFrom("ada", "grace"),
      atMs: fc.nat(),
      ifRevision: fc.nat({ max: 8 }),
    },
    { requiredKeys: ["entries", "by", "atMs"] },
  );
  const page = fc.record(
    { limit: fc.integer({ min: 1, max: 4 }), beforeRevision: fc.nat({ max: 8 }), path },
    { requiredKeys: ["limit"] },
  );
  return fc.oneof(
    { weight: 3, arbitrary: fc.record({ kind: fc.constant("change" as const), change }) },
    { weight: 1, arbitrary: fc.record({ kind: fc.constant("history" as const), page }) },
  );
}

/** Runs operations, and returns every result and the state after it. */
async function settingsAfter(operations: readonly SettingsOperation[], settings: StoredSettings) {
  const results: unknown[] = [];
  for (const operation of operations) {
    const isChange = operation.kind === "change";
    results.push(isChange ? await settings.change(operation.change) : await settings.history(operation.page));
    if (isChange) results.push(await settings.load());
  }
  return results;
}

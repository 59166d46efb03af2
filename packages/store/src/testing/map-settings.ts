import type { JsonValue } from "@longhaul/conversation";
import { anyJson } from "@longhaul/conversation/testing";
import fc from "fast-check";
import type { HistoryPage, SettingEntry, SettingRecord, SettingsChange, StoredSettings } from "../contract/settings.ts";

/** The contract of settings in its plainest form, to compare stores with. */
export function makeMapSettings(): StoredSettings {
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
    change: async (asked) =>
      asked.ifRevision === undefined || asked.ifRevision === revision ? change(asked) : undefined,
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

/** Something that may be done to settings. */
export type SettingsOperation =
  | { readonly kind: "change"; readonly change: SettingsChange }
  | { readonly kind: "history"; readonly page: HistoryPage };

/** Any change of few settings, some of which come too late, and any look at history. */
export function anySettingsOperation(): fc.Arbitrary<SettingsOperation> {
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

/** Carries operations out, and returns all that they return and the state after each. */
export async function settingsAfter(operations: readonly SettingsOperation[], settings: StoredSettings) {
  const results: unknown[] = [];
  for (const operation of operations) {
    const isChange = operation.kind === "change";
    results.push(isChange ? await settings.change(operation.change) : await settings.history(operation.page));
    if (isChange) results.push(await settings.load());
  }
  return results;
}

import type { JsonValue } from "@longhaul/conversation";
import type { SettingEntry, SettingRecord, SettingsChange, StoredSettings } from "../contract/settings.ts";

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

import { anyJson } from "@longhaul/conversation/testing";
import fc from "fast-check";
import type { HistoryPage, SettingsChange, StoredSettings } from "../contract/settings.ts";

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

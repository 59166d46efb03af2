import {
  checkStorable,
  invalidSettings,
  isWithin,
  type LayeredSettings,
  parsePath,
  type SettingEntry,
  type SettingValues,
  singleEntries,
} from "@longhaul/settings";

/** The changes of single settings that one stands for. One that unsets a section is one for everything that is stored in it. */
export function singleChanges(entry: SettingEntry, stored: SettingValues): readonly SettingEntry[] {
  if (entry.value !== undefined) return singleEntries(entry);
  const section = parsePath(entry.path);
  const within = Object.keys(stored).filter((path) => isWithin(parsePath(path), section));
  return within.length === 0 ? [entry] : within.map((path) => ({ path }));
}

/** What is stored after changes. */
export function changedValues(stored: SettingValues, changes: readonly SettingEntry[]): SettingValues {
  const values = new Map(Object.entries(stored));
  for (const { path, value } of changes) {
    if (value === undefined) values.delete(path);
    else values.set(path, value);
  }
  return Object.fromEntries(values);
}

/**
 * Throws what is wrong after changes and was not before: a value that was not used anyway stands against nothing. Of one place the first
 * fault is told; those after it come of leaving its value out.
 */
export function checkChange(
  changes: readonly SettingEntry[],
  before: Pick<LayeredSettings, "leftOut">,
  after: Pick<LayeredSettings, "leftOut">,
): void {
  const known = new Set(before.leftOut.map(({ path }) => path));
  const changed = new Set(changes.map(({ path }) => path));
  const faults = after.leftOut
    .filter(({ path }) => changed.has(path) || !known.has(path))
    .map(({ path, why, at = path }) => ({ path: at, message: why }))
    .filter(({ path }, index, all) => all.findIndex((fault) => fault.path === path) === index);
  const unknown = changes.flatMap(({ path, value }) => {
    const why = value === undefined && !known.has(path) ? checkStorable(path) : undefined;
    return why === undefined ? [] : [{ path, message: why }];
  });
  if (faults.length + unknown.length > 0) throw invalidSettings("the change", [...faults, ...unknown]);
}

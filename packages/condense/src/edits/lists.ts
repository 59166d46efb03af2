export function sum(numbers: readonly number[]): number {
  return numbers.reduce((total, number) => total + number, 0);
}

/** Groups values by key, in order. Values without a key are dropped. */
export function groupBy<T, Key>(values: Iterable<T>, keyOf: (value: T) => Key | undefined): Map<Key, T[]> {
  const groups = new Map<Key, T[]>();
  for (const value of values) {
    const key = keyOf(value);
    const group = key === undefined ? undefined : groups.get(key);
    if (group !== undefined) group.push(value);
    else if (key !== undefined) groups.set(key, [value]);
  }
  return groups;
}

/** Returns a function that remembers its latest result: texts are read one after the other. */
export function cacheLatest<Key, T>(read: (key: Key) => T): (key: Key) => T {
  let latest: { readonly key: Key; readonly value: T } | undefined;
  return (key) => {
    if (latest?.key !== key) latest = { key, value: read(key) };
    return latest.value;
  };
}

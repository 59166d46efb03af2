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

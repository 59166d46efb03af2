/** All of some numbers together. */
export function sum(numbers: readonly number[]): number {
  return numbers.reduce((total, number) => total + number, 0);
}

/** Values by what they have in common, in the order in which they come; those without a key are left out. */
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

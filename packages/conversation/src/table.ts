/**
 * A look-up table for keys from outside. It has no prototype, so that `table["constructor"]` and `table["__proto__"]` are absent unless they
 * are listed.
 */
export function table<const Entries extends object>(entries: Entries): Readonly<Entries> {
  return Object.freeze(Object.assign(Object.create(null), entries));
}

/** The value of a key from outside in an object that may have a prototype; absent unless the object has the key itself. */
export function ownValue<Value>(values: Readonly<Record<string, Value>>, key: string): Value | undefined {
  return Object.hasOwn(values, key) ? values[key] : undefined;
}

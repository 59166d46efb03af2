/** Returns the value of a key; creates and stores it if it is missing. */
export function getOrCreate<Key, Value>(map: Map<Key, Value>, key: Key, make: (key: Key) => Value): Value {
  const value = map.get(key) ?? make(key);
  map.set(key, value);
  return value;
}

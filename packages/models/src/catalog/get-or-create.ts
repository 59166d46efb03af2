/** What `map` has under a key; made and kept where it has nothing. */
export function getOrCreate<Key, Value>(map: Map<Key, Value>, key: Key, make: (key: Key) => Value): Value {
  const value = map.get(key) ?? make(key);
  map.set(key, value);
  return value;
}

import { expect, it } from "vitest";
import { LruMap } from "./lru-map.ts";

it("evicts the least recently set key when it is full", () => {
  const map = new LruMap<number>(2);
  map.set("a", 1);
  map.set("b", 2);
  map.set("a", 3);
  map.set("c", 4);
  expect(["a", "b", "c"].map((key) => map.get(key))).toEqual([3, undefined, 4]);
  expect(map.size).toBe(2);
  expect([...map.values()]).toEqual([3, 4]);
});

it("deletes a key and ignores an unknown one", () => {
  const map = new LruMap<number>(2);
  map.set("a", 1);
  map.delete("a");
  map.delete("b");
  expect(map.get("a")).toBeUndefined();
});

it("evicts by weight, and does not keep a value that is too heavy alone", () => {
  const map = new LruMap<string>(10, (value, key) => value.length + key.length);
  map.set("a", "123");
  map.set("b", "123");
  map.set("c", "1234");
  expect(["a", "b", "c"].map((key) => map.get(key))).toEqual([undefined, "123", "1234"]);
  map.set("b", "1");
  map.set("d", "1");
  expect(map.size).toBe(3);
  map.set("c", "1234567890");
  expect([map.get("c"), map.size]).toEqual([undefined, 2]);
});

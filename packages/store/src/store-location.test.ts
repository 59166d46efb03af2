import { expect, it } from "vitest";
import { describeStore, isInMemory, storeLocation } from "./store-location.ts";

it.each([
  [{}, { path: ":memory:" }, "in memory, lost on restart"],
  [{ path: "a.db" }, { path: "a.db" }, "a.db"],
  [{ path: "a.db", url: "postgres://me:hush@db:1/x" }, { url: "postgres://me:hush@db:1/x" }, "PostgreSQL at db:1"],
])("locates the store of %j at %j", (store, place, told) => {
  expect(storeLocation({ store })).toEqual(place);
  expect(describeStore(place)).toBe(told);
  expect(isInMemory(place)).toBe(told.startsWith("in memory"));
});

import { expect, it } from "vitest";
import { describePlace, isInMemory, storePlace } from "./store-place.ts";

it.each([
  [{}, { path: ":memory:" }, "in memory; nothing outlives a restart"],
  [{ path: "a.db" }, { path: "a.db" }, "a.db"],
  [{ path: "a.db", url: "postgres://me:hush@db:1/x" }, { url: "postgres://me:hush@db:1/x" }, "PostgreSQL at db:1"],
])("of %j is %j", (store, place, told) => {
  expect(storePlace({ store })).toEqual(place);
  expect(describePlace(place)).toBe(told);
  expect(isInMemory(place)).toBe(told.startsWith("in memory"));
});

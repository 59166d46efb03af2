import { expect, it } from "vitest";
import { Latest } from "./latest.ts";

it("keeps what was put last", () => {
  const latest = new Latest<number>(2);
  latest.put("a", 1);
  latest.put("b", 2);
  latest.put("a", 3);
  latest.put("c", 4);
  expect(["a", "b", "c"].map((key) => latest.get(key))).toEqual([3, undefined, 4]);
  expect(latest.size).toBe(2);
  expect([...latest.values()]).toEqual([3, 4]);
});

it("forgets what it is told to, and what was never there", () => {
  const latest = new Latest<number>(2);
  latest.put("a", 1);
  latest.delete("a");
  latest.delete("b");
  expect(latest.get("a")).toBeUndefined();
});

import { expect, it } from "vitest";
import { getOrCreate } from "./get-or-create.ts";

it("creates a value once per key", () => {
  const made: string[] = [];
  const map = new Map<string, number>();
  const lengthOf = (key: string) =>
    getOrCreate(map, key, (text) => {
      made.push(text);
      return text.length;
    });
  expect(["one", "three", "one"].map(lengthOf)).toEqual([3, 5, 3]);
  expect(made).toEqual(["one", "three"]);
});

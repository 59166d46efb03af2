import fc from "fast-check";
import { expect, it } from "vitest";
import { inChunks } from "./in-chunks.ts";

it("loses no row and keeps their order", () => {
  fc.assert(
    fc.property(fc.array(fc.nat(), { maxLength: 1_000 }), (rows) => {
      expect(inChunks(rows).flat()).toEqual(rows);
    }),
  );
});

it("has seven sizes, the largest first", () => {
  expect(inChunks(Array.from({ length: 64 + 127 })).map((chunk) => chunk.length)).toEqual([64, 64, 32, 16, 8, 4, 2, 1]);
});

it("is nothing for nothing", () => {
  expect(inChunks([])).toEqual([]);
});

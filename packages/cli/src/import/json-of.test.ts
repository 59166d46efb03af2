import { expect, it } from "vitest";
import { listOf, objectOf, textOf } from "./json-of.ts";

const VALUES = [undefined, null, 0, "text", ["item"], { name: 1 }];

it("takes a value for what it is, and for nothing else", () => {
  expect(VALUES.map(textOf)).toEqual(["", "", "", "text", "", ""]);
  expect(VALUES.map(listOf)).toEqual([[], [], [], [], ["item"], []]);
  expect(VALUES.map(objectOf)).toEqual([{}, {}, {}, {}, {}, { name: 1 }]);
});

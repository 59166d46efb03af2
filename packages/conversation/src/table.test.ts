import { expect, it } from "vitest";
import { ownValue, table } from "./table.ts";

const PROTOTYPE_NAMES = ["__proto__", "constructor", "toString", "hasOwnProperty"];

it("finds what a table lists, and no name of a prototype", () => {
  const colours: Readonly<Record<string, string>> = table({ sky: "blue" });
  expect(colours.sky).toBe("blue");
  expect(PROTOTYPE_NAMES.map((name) => colours[name])).toEqual([undefined, undefined, undefined, undefined]);
  expect(Object.isFrozen(colours)).toBe(true);
});

it("finds what an object has itself, and no name of its prototype", () => {
  const values = JSON.parse('{"sky":"blue","__proto__":"own"}');
  expect(ownValue(values, "sky")).toBe("blue");
  expect(ownValue(values, "__proto__")).toBe("own");
  expect(PROTOTYPE_NAMES.map((name) => ownValue({}, name))).toEqual([undefined, undefined, undefined, undefined]);
});

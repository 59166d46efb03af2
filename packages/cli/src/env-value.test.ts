import { expect, it } from "vitest";
import { envValue } from "./env-value.ts";

it.each([
  ["plain", "plain"],
  [" spaced \t", "spaced"],
  ["value # why", "value"],
  ["value#part", "value#part"],
  ['"in quotes # no comment" # why', "in quotes # no comment"],
  ["'single'", "single"],
  ['"open', '"open'],
  ["", ""],
])("reads %j", (written, value) => {
  expect(envValue(written)).toBe(value);
});

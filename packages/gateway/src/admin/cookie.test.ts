import { expect, it } from "vitest";
import { cookieIn } from "./cookie.ts";

it.each([
  ["longhaul=abc", "abc"],
  ["other=1; longhaul=abc; more=2", "abc"],
  ["xlonghaul=abc", undefined],
  ["", undefined],
])("finds in %j the value %j", (header, value) => {
  expect(cookieIn(header)).toBe(value);
});

import { expect, it } from "vitest";
import { given } from "./given.ts";

it("keeps fields that have a value, however small, and leaves out undefined ones", () => {
  const fields = given({ zero: 0, no: false, empty: "", nothing: null, absent: undefined });
  expect(fields).toStrictEqual({ zero: 0, no: false, empty: "", nothing: null });
  expect("absent" in fields).toBe(false);
});

import { expect, it } from "vitest";
import { charactersOverFour } from "./text-counter.ts";

it("takes four characters for a token and rounds up", () => {
  expect(["", "a", "abcd", "abcde"].map(charactersOverFour)).toEqual([0, 1, 1, 2]);
});

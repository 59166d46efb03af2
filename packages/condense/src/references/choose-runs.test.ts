import { describe, expect, it } from "vitest";
import { makeCounter } from "../testing/counter.ts";
import { isWorth } from "./choose-runs.ts";

describe("isWorth", () => {
  it("wants a few tokens more than the marker has", () => {
    expect(isWorth("x".repeat(72), "y".repeat(40), makeCounter())).toBe(true);
    expect(isWorth("x".repeat(68), "y".repeat(40), makeCounter())).toBe(false);
  });
});

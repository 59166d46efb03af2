import { describe, expect, it } from "vitest";
import { argumentLimit, limitsAfter } from "./limit-flags.ts";

describe("argumentLimit", () => {
  it.each([
    ["60", 60],
    ["2.5", 2.5],
    ["0", 0],
    ["none", "none"],
  ])("reads %s", (text, limit) => {
    expect(argumentLimit(text)).toBe(limit);
  });

  it.each(["", " ", "many", "-1", "Infinity"])("refuses %j", (text) => {
    expect(() => argumentLimit(text)).toThrow("give a number, or none");
  });
});

describe("limitsAfter", () => {
  it("sets what is named, lifts what is none, and leaves the rest", () => {
    const before = { requestsPerMinute: 60, concurrent: 4, usdPerDay: 1 };
    expect(limitsAfter({ requestsPerMinute: 30, usdPerDay: "none", usdPerMonth: 0 }, before)).toEqual({
      requestsPerMinute: 30,
      concurrent: 4,
      usdPerMonth: 0,
    });
    expect(limitsAfter({}, before)).toEqual(before);
  });
});

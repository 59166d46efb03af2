import { describe, expect, it } from "vitest";
import { findStrategy, STRATEGIES } from "./registry.ts";

describe("the registry", () => {
  it("finds every strategy by its id, each id once", () => {
    for (const strategy of STRATEGIES) expect(findStrategy(strategy.id)).toBe(strategy);
    expect(new Set(STRATEGIES.map(({ id }) => id)).size).toBe(STRATEGIES.length);
  });

  it("names the strategies that exist to whoever asks for another", () => {
    expect(() => findStrategy("magic")).toThrow(
      expect.objectContaining({ code: "settings.invalid", message: expect.stringContaining('"magic"; choose one of') }),
    );
  });
});

import { readFileSync } from "node:fs";
import { describe, expect, it } from "vitest";
import { guideOf } from "./guides.ts";
import { findStrategy, STRATEGIES } from "./registry.ts";
import { strategiesPageFaults } from "./testing/describe-page.ts";

describe("the registry", () => {
  it("finds every strategy by its unique id", () => {
    for (const strategy of STRATEGIES) expect(findStrategy(strategy.id)).toBe(strategy);
    expect(new Set(STRATEGIES.map(({ id }) => id)).size).toBe(STRATEGIES.length);
  });

  it("lists the strategies with early references", () => {
    expect(STRATEGIES.flatMap(({ id, refersEarly }) => (refersEarly === true ? [id] : []))).toEqual([
      "lossless",
      "smart",
    ]);
  });

  it("names the known strategies for an unknown id", () => {
    expect(() => findStrategy("magic")).toThrow(
      expect.objectContaining({
        code: "settings.invalid",
        message: expect.stringContaining('"magic"; known strategies: '),
      }),
    );
  });
});

describe("docs/strategies/README.md", () => {
  const page = readFileSync(new URL("../../../docs/strategies/README.md", import.meta.url), "utf8");

  it("lists every strategy in order, with its description", () => {
    expect(page.match(/^\| \[`[a-z-]+`\]\([a-z-]+\.md\)/gm)).toEqual(
      STRATEGIES.map(({ id }) => `| [\`${id}\`](${id}.md)`),
    );
    expect(strategiesPageFaults(page, STRATEGIES)).toEqual([]);
  });

  it("lists new strategies, and no removed ones", () => {
    const added = { ...findStrategy("native"), id: "added" };
    expect(strategiesPageFaults(page, [...STRATEGIES, added])).toEqual(["added"]);
    expect(strategiesPageFaults(page, STRATEGIES.slice(1))).toEqual(["native"]);
    const renamed = { ...findStrategy("native"), guide: { ...guideOf(findStrategy("native")), loses: "all" } };
    expect(strategiesPageFaults(page, STRATEGIES.with(0, renamed))).toEqual(["native"]);
  });
});

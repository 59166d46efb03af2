import { readFileSync } from "node:fs";
import { describe, expect, it } from "vitest";
import { z } from "zod";
import { findStrategy, STRATEGIES, withFallbacks } from "./registry.ts";

describe("the registry", () => {
  it("finds every strategy by its id, each id once", () => {
    for (const strategy of STRATEGIES) expect(findStrategy(strategy.id)).toBe(strategy);
    expect(new Set(STRATEGIES.map(({ id }) => id)).size).toBe(STRATEGIES.length);
  });

  it("says which strategies refer to repeats from the first turn on", () => {
    expect(STRATEGIES.flatMap(({ id, refersEarly }) => (refersEarly === true ? [id] : []))).toEqual([
      "lossless",
      "smart",
    ]);
  });

  it("names the strategies that exist to whoever asks for another", () => {
    expect(() => findStrategy("magic")).toThrow(
      expect.objectContaining({ code: "settings.invalid", message: expect.stringContaining('"magic"; choose one of') }),
    );
  });
});

describe("docs/strategies/README.md", () => {
  const page = readFileSync(new URL("../../../docs/strategies/README.md", import.meta.url), "utf8");

  it("lists every strategy, with a link to its page", () => {
    expect(page.match(/^\| \[`[a-z-]+`\]\([a-z-]+\.md\)/gm)).toEqual(
      STRATEGIES.map(({ id }) => `| [\`${id}\`](${id}.md)`),
    );
  });

  it("says what each can do", () => {
    const sign = (can: boolean) => (can ? "✓" : "–");
    const rows = STRATEGIES.map(({ id, schema, capabilities }) => {
      const { lossless, multiPass, batchMode, individualMode, summarizes, speed } = capabilities;
      const signs = [lossless, multiPass, batchMode, individualMode, summarizes].map(sign).join(" | ");
      const settings = Object.keys(z.toJSONSchema(schema, { io: "input" }).properties ?? {}).length;
      return `| \`${id}\` | ${signs} | ${speed} | ${settings} |`;
    });
    expect(rows.filter((row) => !page.includes(row))).toEqual([]);
  });
});

const idsOf = (id: string, fallbacks?: readonly string[]) =>
  withFallbacks({ strategy: findStrategy(id), config: {} }, fallbacks).map(({ strategy }) => strategy.id);

it("tries others in turn, and none twice", () => {
  expect(idsOf("smart")).toEqual(["smart", "native", "middle-out"]);
  expect(idsOf("native")).toEqual(["native", "middle-out"]);
  expect(idsOf("smart", ["truncation"])).toEqual(["smart", "truncation"]);
  expect(idsOf("smart", [])).toEqual(["smart"]);
});

import { readFileSync } from "node:fs";
import { expect, it } from "vitest";
import { STRATEGY_FIGURES } from "./strategy-figures.ts";

const page = readFileSync(new URL("../../../../../docs/strategies/README.md", import.meta.url), "utf8");

/** The cells of each row of the table under a heading, by the strategy in its first one. */
function tableUnder(heading: string): ReadonlyMap<string, readonly string[]> {
  const section = page.split(/^#+ /m).find((text) => text.startsWith(heading)) ?? "";
  const rows = section.split("\n").filter((line) => /^\| \[?`/.test(line));
  return new Map(
    rows.map((row) => {
      const [first = "", ...cells] = row.split("|").slice(1, -1);
      return [/`([^`]+)`/.exec(first)?.[1] ?? "", cells.map((cell) => cell.trim())] as const;
    }),
  );
}

it("are those of the page about strategies", () => {
  const words = tableUnder("Strategies");
  const costs = tableUnder("What each costs");
  const recalls = tableUnder("What each keeps");
  const told = [...words].map(([id, [, loses, chooseFor]]) => {
    const [left = "", milliseconds, , , modelCalls, usd = ""] = costs.get(id) ?? [];
    const recall = recalls.get(id)?.[2];
    const figures = {
      loses,
      chooseFor,
      tokensLeftPercent: Number.parseFloat(left),
      milliseconds: Number(milliseconds),
      modelCalls: Number(modelCalls),
      costUsd: Number(usd.replace("$", "")),
    };
    return [id, recall === undefined ? figures : { ...figures, recallAtQuarter: Number(recall) }];
  });
  expect(told.length).toBeGreaterThan(0);
  expect(STRATEGY_FIGURES).toEqual(Object.fromEntries(told));
});

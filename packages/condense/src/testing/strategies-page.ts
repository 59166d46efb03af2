import { z } from "zod";
import type { Strategy } from "../contract/strategy.ts";

/** Strategies of which `docs/strategies/README.md` tells nothing, or something else than they tell about themselves. */
export function strategiesPageFaults(page: string, strategies: readonly Strategy[]): string[] {
  const tables = {
    words: tableUnder(page, "Strategies"),
    capabilities: tableUnder(page, "What each can do"),
    costs: tableUnder(page, "What each costs"),
    recalls: tableUnder(page, "What each keeps"),
  };
  const listed = [...tables.words.keys()];
  const unknown = listed.filter((id) => !strategies.some((strategy) => strategy.id === id));
  const wrong = strategies.flatMap((strategy) => {
    const { id, guide } = strategy;
    const isLinked = page.includes(`\n| [\`${id}\`](${id}.md) |`);
    const [, loses, chooseFor] = tables.words.get(id) ?? [];
    const isSame = [
      isLinked && loses === guide.loses && chooseFor === guide.chooseFor,
      tables.capabilities.get(id)?.join() === capabilitiesOf(strategy).join(),
      same(figuresOf(tables.costs.get(id), tables.recalls.get(id)), guide.figures),
    ];
    return isSame.includes(false) ? [id] : [];
  });
  return [...unknown, ...wrong];
}

/** The cells of each row of the table under a heading, by the strategy in its first one. */
function tableUnder(page: string, heading: string): ReadonlyMap<string, readonly string[]> {
  const section = page.split(/^#+ /m).find((text) => text.startsWith(heading)) ?? "";
  const rows = section.split("\n").filter((line) => /^\| \[?`/.test(line));
  return new Map(
    rows.map((row) => {
      const [first = "", ...cells] = row.split("|").slice(1, -1);
      return [/`([^`]+)`/.exec(first)?.[1] ?? "", cells.map((cell) => cell.trim())] as const;
    }),
  );
}

function capabilitiesOf({ schema, capabilities }: Strategy): string[] {
  const { lossless, multiPass, batchMode, individualMode, summarizes, speed } = capabilities;
  const signs = [lossless, multiPass, batchMode, individualMode, summarizes].map((can) => (can ? "✓" : "–"));
  const settings = Object.keys(z.toJSONSchema(schema, { io: "input" }).properties ?? {}).length;
  return [...signs, speed, String(settings)];
}

function figuresOf(costs: readonly string[] | undefined, recalls: readonly string[] | undefined): object | undefined {
  if (costs === undefined) return undefined;
  const [left = "", milliseconds, , , modelCalls, usd = ""] = costs;
  const figures = {
    tokensLeftPercent: Number.parseFloat(left),
    milliseconds: Number(milliseconds),
    modelCalls: Number(modelCalls),
    costUsd: Number(usd.replace("$", "")),
  };
  return recalls === undefined ? figures : { ...figures, recallAtQuarter: Number(recalls[2]) };
}

function same(told: object | undefined, own: object | undefined): boolean {
  return JSON.stringify(told) === JSON.stringify(own);
}

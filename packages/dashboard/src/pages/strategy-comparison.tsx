import type { StrategiesAnswer } from "@longhaul/settings";
import { spellMs, spellShare, spellUsd } from "../format.ts";
import { Card } from "../parts/page.tsx";
import { type Column, Table } from "../parts/table.tsx";
import { hrefTo } from "../router.ts";
import { STRATEGY_FIGURES, type StrategyFigures } from "../strategy-figures.ts";

type StrategyAnswer = StrategiesAnswer["strategies"][number];

/** All strategies side by side, with what was measured. */
export function Comparison({ all }: { readonly all: readonly StrategyAnswer[] }) {
  return (
    <Card title="Compared" detail="measured; docs/strategies/README.md says how">
      <Table label="Strategies compared" rows={all} keyOf={({ id }) => id} columns={COLUMNS} />
      <p class="soft small">
        Tokens left, time, model calls and cost: a generated coding session of 229,290 tokens, condensed to half, at $3
        a million tokens in and $15 out. Recall: of the names, paths and numbers that the assistant used next in six
        real sessions, those still there when a quarter of the tokens was left. Where the strategy alone does not reach
        its goal, the engine fits the rest.
      </p>
    </Card>
  );
}

const COLUMNS: readonly Column<StrategyAnswer>[] = [
  { name: "Strategy", show: ({ id, name }) => <a href={hrefTo("strategies", id)}>{name}</a> },
  { name: "Loses", show: measured(({ loses }) => loses) },
  { name: "Choose it for", show: measured(({ chooseFor }) => chooseFor) },
  {
    name: "Tokens left",
    isFigure: true,
    show: measured(({ tokensLeftPercent }) => spellShare(tokensLeftPercent / 100)),
  },
  {
    name: "Recall",
    isFigure: true,
    show: measured(({ recallAtQuarter }) => spellShare(recallAtQuarter ?? 1)),
  },
  { name: "Time", isFigure: true, show: measured(({ milliseconds }) => spellMs(milliseconds)) },
  { name: "Model calls", isFigure: true, show: measured(({ modelCalls }) => `${modelCalls}`) },
  { name: "Cost", isFigure: true, show: measured(({ costUsd }) => spellUsd(costUsd)) },
];

/** A strategy that was not measured yet has a dash. */
function measured(spell: (figures: StrategyFigures) => string): (strategy: StrategyAnswer) => string {
  return ({ id }) => {
    const figures = STRATEGY_FIGURES[id];
    return figures === undefined ? "–" : spell(figures);
  };
}

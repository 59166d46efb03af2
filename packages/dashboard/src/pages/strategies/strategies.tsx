import type { PresetsAnswer, SettingsAnswer, StrategiesAnswer } from "@longhaul/settings";
import { spellMs, spellShare, spellUsd } from "../../format.ts";
import type { JsonRecord } from "../../forms/schema.ts";
import { useAnswer } from "../../gateway/gateway.tsx";
import { Show } from "../../parts/answered.tsx";
import { Card, Page } from "../../parts/page.tsx";
import { type Column, Table } from "../../parts/table.tsx";
import { hrefTo, type Place } from "../../router.ts";
import { configIn, EVERYWHERE, inScope, recordOf, type Scope, strategyIn } from "../../settings/scope.ts";
import { ScopeChoice } from "../../settings/scope-choice.tsx";
import { StrategyDetail } from "./strategy-detail.tsx";

type StrategyAnswer = StrategiesAnswer["strategies"][number];
type Figures = NonNullable<StrategyAnswer["figures"]>;

const NEWS = ["settings"];

/** How conversations are made smaller. The address names the strategy that is looked at, the profile, and a preset to begin with. */
export function Strategies({ place: { id, query } }: { readonly place: Place }) {
  const { profile = EVERYWHERE, preset } = query;
  const strategies = useAnswer<StrategiesAnswer>("/strategies");
  const settings = useAnswer<SettingsAnswer>("/settings", NEWS);
  const presets = useAnswer<PresetsAnswer>(preset === undefined ? undefined : "/presets");
  const begin = presets.value?.presets.find(({ name }) => name === preset);
  const isReady = preset === undefined || presets.value !== undefined;
  return (
    <Page
      title="Strategies"
      lead="How a conversation is made smaller when it no longer fits. A change holds for new conversations at once, and for running ones at their next condensation, so that no prompt cache is broken."
      actions={
        <ScopeChoice
          value={profile}
          onChoose={(scope) => {
            location.hash = hrefTo("strategies", id, inScope(scope));
          }}
        />
      }
    >
      <Show answer={strategies}>
        {({ strategies: all }) => (
          <>
            <Show answer={settings}>
              {(value) =>
                isReady ? (
                  <Choice
                    all={all}
                    settings={value}
                    scope={profile}
                    chosen={id}
                    {...(begin === undefined ? {} : { begin: { name: begin.name, config: recordOf(begin.config) } })}
                    onChanged={settings.reload}
                  />
                ) : null
              }
            </Show>
            <Comparison all={all} />
          </>
        )}
      </Show>
    </Page>
  );
}

interface ChoiceProps {
  readonly all: readonly StrategyAnswer[];
  readonly settings: SettingsAnswer;
  readonly scope: Scope;
  /** The one that is looked at; the one in force where the address names none. */
  readonly chosen: string;
  /** The preset whose settings are to be changed; without one, those that are kept. */
  readonly begin?: { readonly name: string; readonly config: JsonRecord };
  readonly onChanged: () => void;
}

function Choice({ all, settings, scope, chosen, begin, onChanged }: ChoiceProps) {
  const inForce = strategyIn(settings, scope);
  const shown = all.find(({ id }) => id === chosen) ?? all.find(({ id }) => id === inForce.value);
  return (
    <div class="with-list">
      <ul class="choices" aria-label="Strategies">
        {all.map(({ id, name, description }) => (
          <li key={id}>
            <a
              href={hrefTo("strategies", id, inScope(scope))}
              {...(id === shown?.id ? { "aria-current": "true" as const } : {})}
            >
              <span class="row">
                <strong>{name}</strong>
                {id === inForce.value ? (
                  <span class="badge accent">{inForce.isOwn ? "in force" : "in force, as everywhere"}</span>
                ) : null}
              </span>
              <span class="soft small">{description}</span>
            </a>
          </li>
        ))}
      </ul>
      {shown === undefined ? null : (
        <StrategyDetail
          key={[shown.id, scope, begin?.name].join("\n")}
          strategy={shown}
          settings={settings}
          scope={scope}
          begin={begin?.config ?? configIn(settings, scope, shown.id).value}
          {...(begin === undefined ? {} : { preset: begin.name })}
          onChanged={onChanged}
        />
      )}
    </div>
  );
}

/** All strategies side by side, with what was measured. */
function Comparison({ all }: { readonly all: readonly StrategyAnswer[] }) {
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
  { name: "Loses", show: ({ loses }) => loses },
  { name: "Choose it for", show: ({ chooseFor }) => chooseFor },
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
function measured(spell: (figures: Figures) => string): (strategy: StrategyAnswer) => string {
  return ({ figures }) => (figures === undefined ? "–" : spell(figures));
}

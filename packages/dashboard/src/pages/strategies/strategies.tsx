import type { PresetsAnswer, SettingsAnswer, StrategiesAnswer } from "@longhaul/admin/api";
import { Card, Page } from "../../components/page.tsx";
import { hrefTo, type Route } from "../../components/router.ts";
import { Loaded } from "../../components/status.tsx";
import { type Column, Table } from "../../components/table.tsx";
import type { JsonRecord } from "../../forms/schema.ts";
import { configIn, GLOBAL, recordOf, type Scope, ScopeChoice, scopeQuery, strategyIn } from "../../forms/scope.tsx";
import { useQuery } from "../../gateway/gateway.tsx";
import { formatDuration, formatPercent, formatUsd } from "../../strings/format.ts";
import { StrategyDetail } from "./strategy-detail.tsx";

type StrategyAnswer = StrategiesAnswer["strategies"][number];
type Figures = NonNullable<StrategyAnswer["figures"]>;

const NEWS = ["settings"];

/** How conversations are made smaller. The address names the strategy that is looked at, the profile, and a preset to begin with. */
export function Strategies({ place: { id, query } }: { readonly place: Route }) {
  const { profile = GLOBAL, preset } = query;
  const strategies = useQuery<StrategiesAnswer>("/strategies");
  const settings = useQuery<SettingsAnswer>("/settings", NEWS);
  const presets = useQuery<PresetsAnswer>(preset === undefined ? undefined : "/presets");
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
            location.hash = hrefTo("strategies", id, scopeQuery(scope));
          }}
        />
      }
    >
      <Loaded query={strategies}>
        {({ strategies: all }) => (
          <>
            <Loaded query={settings}>
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
            </Loaded>
            <Comparison all={all} />
          </>
        )}
      </Loaded>
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
              href={hrefTo("strategies", id, scopeQuery(scope))}
              {...(id === shown?.id ? { "aria-current": "true" as const } : {})}
            >
              <span class="row">
                <strong>{name}</strong>
                {id === inForce.value ? (
                  <span class="badge accent">{inForce.isSetHere ? "in force" : "in force, as everywhere"}</span>
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
  { name: "Strategy", render: ({ id, name }) => <a href={hrefTo("strategies", id)}>{name}</a> },
  { name: "Loses", render: ({ loses }) => loses },
  { name: "Choose it for", render: ({ chooseFor }) => chooseFor },
  {
    name: "Tokens left",
    isNumeric: true,
    render: measured(({ tokensLeftPercent }) => formatPercent(tokensLeftPercent / 100)),
  },
  {
    name: "Recall",
    isNumeric: true,
    render: measured(({ recallAtQuarter }) => formatPercent(recallAtQuarter ?? 1)),
  },
  { name: "Time", isNumeric: true, render: measured(({ milliseconds }) => formatDuration(milliseconds)) },
  { name: "Model calls", isNumeric: true, render: measured(({ modelCalls }) => `${modelCalls}`) },
  { name: "Cost", isNumeric: true, render: measured(({ costUsd }) => formatUsd(costUsd)) },
];

/** A strategy that was not measured yet has a dash. */
function measured(spell: (figures: Figures) => string): (strategy: StrategyAnswer) => string {
  return ({ figures }) => (figures === undefined ? "–" : spell(figures));
}

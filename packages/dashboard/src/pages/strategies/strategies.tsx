import type { PresetAnswer, PresetsAnswer, SettingsAnswer, StrategiesAnswer } from "@longhaul/admin/api";
import { Card, Page } from "../../components/page.tsx";
import { hrefTo, type Route } from "../../components/router.ts";
import { Loaded } from "../../components/status.tsx";
import { type Column, Table } from "../../components/table.tsx";
import { configIn, GLOBAL, recordOf, type Scope, ScopeChoice, scopeQuery, strategyIn } from "../../forms/scope.tsx";
import { useQuery } from "../../gateway/gateway.tsx";
import { SessionComparison } from "../../previews/comparison.tsx";
import { type LinkedRequest, useConversation } from "../../previews/conversation-choice.tsx";
import { common } from "../../strings/common.ts";
import { formatDuration, formatPercent, formatUsd } from "../../strings/format.ts";
import { strings } from "../../strings/strategies.ts";
import { StrategyDetail } from "./strategy-detail.tsx";

type StrategyAnswer = StrategiesAnswer["strategies"][number];
type Measurements = NonNullable<StrategyAnswer["figures"]>;

/** Chooses and configures the strategy. The address names the strategy that is shown, the profile, a preset to start with, and a request to compare with. */
export function Strategies({ route: { id, query } }: { readonly route: Route }) {
  const { profile = GLOBAL, preset: presetName } = query;
  const strategies = useQuery<StrategiesAnswer>("/strategies");
  const settings = useQuery<SettingsAnswer>("/settings", ["settings"]);
  const presets = useQuery<PresetsAnswer>(presetName === undefined ? undefined : "/presets");
  const preset = presets.value?.presets.find(({ name }) => name === presetName);
  const isReady = presetName === undefined || presets.value !== undefined;
  return (
    <Page title={strings.title} lead={strings.lead} actions={<ScopeChoice value={profile} page="strategies" id={id} />}>
      <Loaded query={strategies}>
        {({ strategies: all }) => (
          <>
            <Loaded query={settings}>
              {(value) =>
                isReady ? (
                  <StrategyChoice
                    all={all}
                    settings={value}
                    scope={profile}
                    chosen={id}
                    preset={preset}
                    linked={query.request === undefined ? undefined : { id: query.request, title: query.title ?? "" }}
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

interface StrategyChoiceProps {
  readonly all: readonly StrategyAnswer[];
  readonly settings: SettingsAnswer;
  readonly scope: Scope;
  /** The strategy in the address; if it is empty, the active one is shown. */
  readonly chosen: string;
  /** The preset to start with. By default, the saved settings. */
  readonly preset: PresetAnswer | undefined;
  /** The request whose conversation is chosen at first, if a link names one. */
  readonly linked: LinkedRequest | undefined;
  readonly onChanged: () => void;
}

function StrategyChoice({ all, settings, scope, chosen, preset, linked, onChanged }: StrategyChoiceProps) {
  const choice = useConversation(settings, linked);
  const active = strategyIn(settings, scope);
  const shown = all.find(({ id }) => id === chosen) ?? all.find(({ id }) => id === active.value);
  return (
    <>
      <div class="with-list">
        <ul class="choices" aria-label={strings.title}>
          {all.map(({ id, name, description }) => (
            <li key={id}>
              <a
                href={hrefTo("strategies", id, scopeQuery(scope))}
                {...(id === shown?.id ? { "aria-current": "true" as const } : {})}
              >
                <span class="row">
                  <strong>{name}</strong>
                  {id === active.value ? (
                    <span class="badge accent">{active.isSetHere ? strings.active : strings.activeGlobal}</span>
                  ) : null}
                </span>
                <span class="soft small">{description}</span>
              </a>
            </li>
          ))}
        </ul>
        {shown === undefined ? null : (
          <StrategyDetail
            key={[shown.id, scope, preset?.name].join("\n")}
            strategy={shown}
            settings={settings}
            scope={scope}
            choice={choice}
            initial={preset === undefined ? configIn(settings, scope, shown.id).value : recordOf(preset.config)}
            preset={preset?.name}
            onChanged={onChanged}
          />
        )}
      </div>
      <SessionComparison all={all} choice={choice} settings={settings} scope={scope} onChanged={onChanged} />
    </>
  );
}

const { comparison: texts } = strings;

function Comparison({ all }: { readonly all: readonly StrategyAnswer[] }) {
  return (
    <Card title={texts.title} detail={<a href="/docs/strategies/index.html">{texts.method}</a>}>
      <Table label={texts.label} rows={all} keyOf={({ id }) => id} columns={COLUMNS} />
      <p class="soft small">{texts.note}</p>
    </Card>
  );
}

const COLUMNS: readonly Column<StrategyAnswer>[] = [
  { name: common.strategy, render: ({ id, name }) => <a href={hrefTo("strategies", id)}>{name}</a> },
  { name: texts.loses, render: ({ loses }) => loses },
  { name: texts.bestFor, render: ({ chooseFor }) => chooseFor },
  {
    name: texts.tokensLeft,
    isNumeric: true,
    render: measured(({ tokensLeftPercent }) => formatPercent(tokensLeftPercent / 100)),
  },
  {
    ...texts.recall,
    isNumeric: true,
    render: measured(({ recallAtQuarter }) => formatPercent(recallAtQuarter ?? 1)),
  },
  { name: common.duration, isNumeric: true, render: measured(({ milliseconds }) => formatDuration(milliseconds)) },
  { name: texts.modelCalls, isNumeric: true, render: measured(({ modelCalls }) => `${modelCalls}`) },
  { name: common.cost, isNumeric: true, render: measured(({ costUsd }) => formatUsd(costUsd)) },
];

/** Renders a dash for a strategy without measurements. */
function measured(format: (measurements: Measurements) => string): (strategy: StrategyAnswer) => string {
  return ({ figures }) => (figures === undefined ? common.missing : format(figures));
}

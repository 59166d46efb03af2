import type { SettingsAnswer, StrategiesAnswer } from "@longhaul/settings";
import { useMemo, useState } from "preact/hooks";
import { useChange } from "../change.tsx";
import { faultsOf } from "../forms/faults.ts";
import { isJson, isRecord, isSchema, type JsonRecord, setAt } from "../forms/schema.ts";
import { SchemaField } from "../forms/schema-form.tsx";
import { useAnswer } from "../gateway.tsx";
import { Show } from "../parts/answered.tsx";
import { Card, Page } from "../parts/page.tsx";
import { hrefTo, type Place } from "../router.ts";
import { settingValue } from "../setting-value.ts";

type StrategyAnswer = StrategiesAnswer["strategies"][number];

const NEWS = ["settings"];

/** How conversations are made smaller. */
export function Strategies({ place }: { readonly place: Place }) {
  const strategies = useAnswer<StrategiesAnswer>("/strategies");
  const settings = useAnswer<SettingsAnswer>("/settings", NEWS);
  return (
    <Page
      title="Strategies"
      lead="How a conversation is made smaller when it no longer fits. A change holds for new conversations at once, and for running ones at their next condensation, so that no prompt cache is broken."
    >
      <Show answer={strategies}>
        {({ strategies: all }) => (
          <Show answer={settings}>
            {(value) => <Choice all={all} settings={value} chosen={place.id} onChanged={settings.reload} />}
          </Show>
        )}
      </Show>
    </Page>
  );
}

interface ChoiceProps {
  readonly all: readonly StrategyAnswer[];
  readonly settings: SettingsAnswer;
  /** The one that is looked at; the one in force where the address names none. */
  readonly chosen: string;
  readonly onChanged: () => void;
}

function Choice({ all, settings, chosen, onChanged }: ChoiceProps) {
  const inForce = String(settingValue(settings, "context.strategy") ?? "");
  const shown = all.find(({ id }) => id === chosen) ?? all.find(({ id }) => id === inForce);
  return (
    <div class="with-list">
      <ul class="choices" aria-label="Strategies">
        {all.map(({ id, name, description }) => (
          <li key={id}>
            <a href={hrefTo("strategies", id)} {...(id === shown?.id ? { "aria-current": "true" as const } : {})}>
              <span class="row">
                <strong>{name}</strong>
                {id === inForce ? <span class="badge accent">in force</span> : null}
              </span>
              <span class="soft small">{description}</span>
            </a>
          </li>
        ))}
      </ul>
      {shown === undefined ? null : (
        <Detail
          key={shown.id}
          strategy={shown}
          settings={settings}
          isInForce={shown.id === inForce}
          onChanged={onChanged}
        />
      )}
    </div>
  );
}

interface DetailProps {
  readonly strategy: StrategyAnswer;
  readonly settings: SettingsAnswer;
  readonly isInForce: boolean;
  readonly onChanged: () => void;
}

function Detail({ strategy, settings, isInForce, onChanged }: DetailProps) {
  const { make, isBusy, faults: refused } = useChange();
  const path = `context.strategies.${strategy.id}`;
  const kept = useMemo(() => configIn(settings, path), [settings, path]);
  const [config, setConfig] = useState<JsonRecord>(kept);
  const schema = isSchema(strategy.schema) ? strategy.schema : {};
  const faults = faultsOf(schema, config);
  const change = async (entries: readonly object[], done: string) => {
    const body = { entries, ifRevision: settings.revision };
    if ((await make((api) => api.send("PATCH", "/settings", body), done)) !== undefined) onChanged();
  };
  const own = { path, ...(Object.keys(config).length === 0 ? {} : { value: config }) };
  return (
    <Card title={strategy.name} detail={<Traits strategy={strategy} />}>
      <p>{strategy.description}</p>
      <SchemaField
        schema={schema}
        name=""
        value={config}
        path={[]}
        faults={faults}
        onChange={(at, next) => setConfig(recordOf(setAt(config, at, next)))}
      />
      {refused.map(({ path: at, message }) => (
        <p key={at} class="notice bad">
          {at}: {message}
        </p>
      ))}
      <div class="row end">
        <button type="button" disabled={isBusy} onClick={() => setConfig({})}>
          Its defaults
        </button>
        <button
          type="button"
          disabled={isBusy || faults.length > 0}
          onClick={() => void change([own], `The settings of ${strategy.name} are kept.`)}
        >
          Keep these settings
        </button>
        <button
          type="button"
          class="main"
          disabled={isBusy || faults.length > 0}
          onClick={() =>
            void change([own, { path: "context.strategy", value: strategy.id }], `${strategy.name} is in force.`)
          }
        >
          {isInForce ? "Apply" : "Use it"}
        </button>
      </div>
    </Card>
  );
}

function Traits({ strategy: { capabilities, thresholdPercent } }: { readonly strategy: StrategyAnswer }) {
  const traits = [
    capabilities.lossless ? "loses nothing" : "",
    capabilities.summarizes ? "asks a model for summaries" : "asks no model",
    capabilities.speed,
    thresholdPercent === undefined ? "" : `begins at ${thresholdPercent} % of the window`,
  ];
  return <>{traits.filter((trait) => trait !== "").join(" · ")}</>;
}

function configIn(settings: SettingsAnswer, path: string): JsonRecord {
  return recordOf(settingValue(settings, path));
}

function recordOf(value: unknown): JsonRecord {
  return isJson(value) && isRecord(value) ? value : {};
}

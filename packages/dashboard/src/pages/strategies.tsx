import type { PresetsAnswer, SettingsAnswer, StrategiesAnswer } from "@longhaul/settings";
import type { JsonRecord } from "../forms/schema.ts";
import { useAnswer } from "../gateway.tsx";
import { Show } from "../parts/answered.tsx";
import { Page } from "../parts/page.tsx";
import { ScopeChoice } from "../parts/scope-choice.tsx";
import { hrefTo, type Place } from "../router.ts";
import { configIn, EVERYWHERE, inScope, recordOf, type Scope, strategyIn } from "../scope.ts";
import { Comparison } from "./strategy-comparison.tsx";
import { StrategyDetail } from "./strategy-detail.tsx";

type StrategyAnswer = StrategiesAnswer["strategies"][number];

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

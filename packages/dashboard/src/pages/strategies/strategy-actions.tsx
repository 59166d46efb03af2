import type { SettingsAnswer, StrategiesAnswer } from "@longhaul/settings";
import { useState } from "preact/hooks";
import type { JsonRecord } from "../../forms/schema.ts";
import { type Change, useChange } from "../../gateway/change.tsx";
import { Faults } from "../../parts/answered.tsx";
import { CostNote, type Previewed } from "../../previews/use-preview.tsx";
import { configIn, contextPath, EVERYWHERE, type Scope, spellScope, strategyIn } from "../../settings/scope.ts";
import { SavePreset } from "./save-preset.tsx";

type StrategyAnswer = StrategiesAnswer["strategies"][number];

interface ApplyProps {
  readonly strategy: StrategyAnswer;
  readonly settings: SettingsAnswer;
  readonly scope: Scope;
  /** The preset that the settings are from. */
  readonly preset?: string;
  readonly config: JsonRecord;
  readonly isWrong: boolean;
  readonly preview: Previewed;
  readonly onReset: () => void;
  readonly onChanged: () => void;
}

/** What can be done with the settings of a strategy, and what that would cost. */
export function StrategyActions(props: ApplyProps) {
  const { strategy, settings, scope, config, isWrong, preview } = props;
  const change = useChange();
  const [isSaving, setSaving] = useState(false);
  const isInForce = strategyIn(settings, scope).value === strategy.id;
  const { keep, use, inherit } = actionsOf(props, change);
  const isOff = change.isBusy || isWrong;
  return (
    <>
      <Faults faults={change.faults} />
      <div class="row end">
        <button type="button" disabled={change.isBusy} onClick={props.onReset}>
          Its defaults
        </button>
        {inherit === undefined ? null : (
          <button type="button" disabled={change.isBusy} onClick={inherit}>
            As everywhere
          </button>
        )}
        <button type="button" disabled={isOff} onClick={() => setSaving(true)}>
          Save as preset
        </button>
        {isInForce ? null : (
          <button type="button" disabled={isOff} onClick={keep}>
            Keep for later
          </button>
        )}
      </div>
      <div class="row end">
        <CostNote preview={preview} />
        <button type="button" class="main" disabled={isOff} onClick={use}>
          {isInForce ? "Apply" : "Use it"}
        </button>
      </div>
      {isSaving ? (
        <SavePreset
          title="Save as preset"
          strategy={strategy.id}
          config={config}
          {...(props.preset === undefined ? {} : { name: props.preset })}
          onClose={() => setSaving(false)}
        />
      ) : null}
    </>
  );
}

interface Actions {
  keep(): void;
  use(): void;
  /** Nothing where the profile says nothing of its own. */
  readonly inherit: (() => void) | undefined;
}

function actionsOf({ strategy, settings, scope, config, onChanged }: ApplyProps, { make }: Change): Actions {
  const section = contextPath(scope);
  const path = `${section}.strategies.${strategy.id}`;
  const isEmpty = scope === EVERYWHERE && Object.keys(config).length === 0;
  const own = isEmpty ? { path } : { path, value: config };
  const send = async (entries: readonly object[], done: string) => {
    const body = { entries, ifRevision: settings.revision };
    if ((await make((api) => api.send("PATCH", "/settings", body), done)) !== undefined) onChanged();
  };
  const where = spellScope(scope);
  const isOwn = strategyIn(settings, scope).isOwn || configIn(settings, scope, strategy.id).isOwn;
  return {
    keep: () => void send([own], `The settings of ${strategy.name} are kept${where}.`),
    use: () =>
      void send(
        [own, { path: `${section}.strategy`, value: strategy.id }],
        `${strategy.name} is in force${where}: for new conversations now, for running ones at their next condensation.`,
      ),
    inherit:
      scope === EVERYWHERE || !isOwn
        ? undefined
        : () => void send([{ path }, { path: `${section}.strategy` }], `The profile ${scope} does as everything does.`),
  };
}

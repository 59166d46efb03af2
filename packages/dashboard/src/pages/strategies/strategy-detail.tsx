import type { ProfilesAnswer, SettingsAnswer, StrategiesAnswer } from "@longhaul/admin/api";
import { useMemo, useState } from "preact/hooks";
import { Button } from "../../components/button.tsx";
import { Card } from "../../components/page.tsx";
import { Faults } from "../../components/status.tsx";
import { type FieldFault, faultsOf } from "../../forms/faults.ts";
import { isSchema, type JsonRecord, type Schema, setAt, withExamples } from "../../forms/schema.ts";
import { StagedForm } from "../../forms/schema-form.tsx";
import {
  configIn,
  contextPath,
  GLOBAL,
  recordOf,
  type Scope,
  scopeQuery,
  scopeSuffix,
  strategyIn,
} from "../../forms/scope.tsx";
import { type Mutation, useMutation, useQuery } from "../../gateway/gateway.tsx";
import type { ConversationChoice } from "../../previews/conversation-choice.tsx";
import { ActualCostsCard } from "../../previews/costs.tsx";
import { CostNote, type Preview, PreviewCard, usePreview } from "../../previews/preview.tsx";
import { strings } from "../../strings/strategies.ts";
import { duplicateIds, passesOf } from "./passes.ts";
import { SavePreset } from "./preset-card.tsx";
import { SmartEditor } from "./smart-editor.tsx";

type StrategyAnswer = StrategiesAnswer["strategies"][number];

interface StrategyDetailProps {
  readonly strategy: StrategyAnswer;
  readonly settings: SettingsAnswer;
  readonly scope: Scope;
  /** The conversation of the preview. */
  readonly choice: ConversationChoice;
  readonly initial: JsonRecord;
  readonly preset: string | undefined;
  readonly onChanged: () => void;
}

export function StrategyDetail(props: StrategyDetailProps) {
  const { strategy, scope, choice, initial, preset } = props;
  const [config, setConfig] = useState(initial);
  const profiles = useQuery<ProfilesAnswer>("/profiles");
  const schema = useMemo(() => schemaOf(strategy, profiles.value), [strategy, profiles.value]);
  const faults = strategyFaults(strategy, schema, config);
  const preview = usePreview(
    choice,
    faults.length > 0 ? undefined : { strategy: strategy.id, config, ...scopeQuery(scope) },
  );
  return (
    <div class="stack">
      <Card title={strategy.name} detail={describeTraits(strategy)}>
        <p>
          {strategy.description} <a href={strategy.docs}>{strings.learnMore(strategy.name)}</a>
        </p>
        {preset === undefined ? null : <p class="notice">{strings.fromPreset(preset)}</p>}
        <ConfigForm strategy={strategy} schema={schema} config={config} faults={faults} onChange={setConfig} />
        <StrategyActions
          {...props}
          config={config}
          isInvalid={faults.length > 0}
          preview={preview}
          onReset={() => setConfig({})}
        />
      </Card>
      <PreviewCard choice={choice} preview={preview} />
      <ActualCostsCard strategy={strategy.id} />
    </div>
  );
}

/** Suggests the names of profiles in every field for one. */
function schemaOf({ schema }: StrategyAnswer, profiles: ProfilesAnswer | undefined): Schema {
  const names = profiles?.profiles.map(({ name }) => name) ?? [];
  return isSchema(schema) ? withExamples(schema, "profile", names) : {};
}

function describeTraits({ capabilities, thresholdPercent }: StrategyAnswer): string {
  const { lossless, summarizes, noModel, speeds, threshold } = strings.traits;
  return [
    ...(capabilities.lossless ? [lossless] : []),
    capabilities.summarizes ? summarizes : noModel,
    speeds[capabilities.speed],
    ...(thresholdPercent === undefined ? [] : [threshold(thresholdPercent)]),
  ].join(" · ");
}

function strategyFaults({ editor }: StrategyAnswer, schema: Schema, config: JsonRecord): readonly FieldFault[] {
  const faults = faultsOf(schema, config);
  if (editor !== "passes") return faults;
  const duplicates = duplicateIds(passesOf(config, schema));
  const message = strings.passes.duplicateId;
  return [...faults, ...duplicates.map((at) => ({ path: ["passes", at, "id"], message }))];
}

interface ConfigFormProps {
  readonly strategy: StrategyAnswer;
  readonly schema: Schema;
  readonly config: JsonRecord;
  readonly faults: readonly FieldFault[];
  readonly onChange: (config: JsonRecord) => void;
}

function ConfigForm({ strategy, schema, config, faults, onChange }: ConfigFormProps) {
  if (strategy.editor === "passes")
    return <SmartEditor schema={schema} config={config} faults={faults} onChange={onChange} />;
  const names = Object.keys(schema.properties ?? {});
  return (
    <StagedForm
      schema={schema}
      first={strategy.firstSettings ?? names}
      value={config}
      faults={faults}
      onChange={(at, next) => onChange(recordOf(setAt(config, at, next)))}
    />
  );
}

interface ActionsProps extends Pick<StrategyDetailProps, "strategy" | "settings" | "scope" | "preset" | "onChanged"> {
  readonly config: JsonRecord;
  readonly isInvalid: boolean;
  readonly preview: Preview;
  readonly onReset: () => void;
}

function StrategyActions(props: ActionsProps) {
  const { strategy, settings, scope, config, isInvalid, preview } = props;
  const mutation = useMutation();
  const [isSaving, setSaving] = useState(false);
  const isActive = strategyIn(settings, scope).value === strategy.id;
  const { keep, activate, inherit } = actionsOf(props, mutation);
  const isDisabled = mutation.isBusy || isInvalid;
  const texts = strings.actions;
  return (
    <>
      <Faults faults={mutation.faults} />
      <div class="row end">
        <Button label={texts.reset} disabled={mutation.isBusy} onClick={props.onReset} />
        {inherit === undefined ? null : <Button label={texts.inherit} disabled={mutation.isBusy} onClick={inherit} />}
        <Button label={texts.saveAsPreset} disabled={isDisabled} onClick={() => setSaving(true)} />
        {isActive ? null : <Button label={texts.keep} disabled={isDisabled} onClick={keep} />}
      </div>
      <div class="row end">
        <CostNote preview={preview} />
        <Button label={isActive ? texts.apply : texts.activate} class="main" disabled={isDisabled} onClick={activate} />
      </div>
      {isSaving ? (
        <SavePreset
          title={texts.saveAsPreset}
          strategy={strategy.id}
          config={config}
          name={props.preset}
          onClose={() => setSaving(false)}
        />
      ) : null}
    </>
  );
}

/** Returns the actions of the buttons. A profile that overrides nothing has nothing to inherit. */
function actionsOf({ strategy, settings, scope, config, onChanged }: ActionsProps, { run }: Mutation) {
  const section = contextPath(scope);
  const path = `${section}.strategies.${strategy.id}`;
  const isEmpty = scope === GLOBAL && Object.keys(config).length === 0;
  const entry = isEmpty ? { path } : { path, value: config };
  const send = async (entries: readonly object[], done: string) => {
    const body = { entries, ifRevision: settings.revision };
    if ((await run((api) => api.send("PATCH", "/settings", body), done)) !== undefined) onChanged();
  };
  const texts = strings.actions;
  const where = scopeSuffix(scope);
  const overrides = strategyIn(settings, scope).isSetHere || configIn(settings, scope, strategy.id).isSetHere;
  return {
    keep: () => void send([entry], texts.kept(strategy.name, where)),
    activate: () =>
      void send([entry, { path: `${section}.strategy`, value: strategy.id }], texts.activated(strategy.name, where)),
    inherit:
      scope === GLOBAL || !overrides
        ? undefined
        : () => void send([{ path }, { path: `${section}.strategy` }], texts.inherited(scope)),
  };
}

import type { ProfilesAnswer, SettingsAnswer, StrategiesAnswer } from "@longhaul/admin/api";
import { useMemo, useState } from "preact/hooks";
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
  spellScope,
  strategyIn,
} from "../../forms/scope.tsx";
import { type Mutation, useMutation, useQuery } from "../../gateway/gateway.tsx";
import { useConversation } from "../../previews/conversation-choice.tsx";
import { ActualCostsCard } from "../../previews/costs.tsx";
import { CostNote, type Preview, PreviewCard, previewRequest, usePreview } from "../../previews/preview.tsx";
import { duplicateIds, passesOf } from "./passes.ts";
import { SavePreset } from "./save-preset.tsx";
import { SmartEditor } from "./smart-editor.tsx";

type StrategyAnswer = StrategiesAnswer["strategies"][number];

interface StrategyDetailProps {
  readonly strategy: StrategyAnswer;
  readonly settings: SettingsAnswer;
  readonly scope: Scope;
  /** The settings to begin with. */
  readonly begin: JsonRecord;
  /** The preset that they are from. */
  readonly preset?: string;
  readonly onChanged: () => void;
}

/** One strategy: what it does, its settings, what they would do and cost, and how it is put in force. */
export function StrategyDetail(props: StrategyDetailProps) {
  const { strategy, settings, scope, begin, preset } = props;
  const [config, setConfig] = useState(begin);
  const profiles = useQuery<ProfilesAnswer>("/profiles");
  const schema = useMemo(() => schemaOf(strategy, profiles.value), [strategy, profiles.value]);
  const faults = strategyFaults(strategy, schema, config);
  const choice = useConversation(settings);
  const preview = usePreview(
    faults.length > 0 ? undefined : previewRequest(choice, { strategy: strategy.id, config, ...scopeQuery(scope) }),
  );
  return (
    <div class="stack">
      <Card title={strategy.name} detail={<Traits strategy={strategy} />}>
        <p>
          {strategy.description} <a href={strategy.docs}>More about it</a>
        </p>
        {preset === undefined ? null : (
          <p class="notice">These are the settings of the preset “{preset}”. Nothing holds until you apply them.</p>
        )}
        <ConfigForm strategy={strategy} schema={schema} config={config} faults={faults} onChange={setConfig} />
        <StrategyActions
          {...props}
          config={config}
          isWrong={faults.length > 0}
          preview={preview}
          onReset={() => setConfig({})}
        />
      </Card>
      <PreviewCard choice={choice} preview={preview} />
      <ActualCostsCard strategy={strategy.id} />
    </div>
  );
}

/** Profiles are chosen by name. */
function schemaOf({ schema }: StrategyAnswer, profiles: ProfilesAnswer | undefined): Schema {
  const names = profiles?.profiles.map(({ name }) => name) ?? [];
  return isSchema(schema) ? withExamples(schema, "profile", names) : {};
}

function Traits({ strategy: { capabilities, thresholdPercent } }: { readonly strategy: StrategyAnswer }) {
  const traits = [
    capabilities.lossless ? "loses nothing" : "",
    capabilities.summarizes ? "can ask a model for summaries" : "asks no model",
    capabilities.speed,
    thresholdPercent === undefined ? "" : `begins at ${thresholdPercent} % of the window`,
  ];
  return <>{traits.filter((trait) => trait !== "").join(" · ")}</>;
}

function strategyFaults({ editor }: StrategyAnswer, schema: Schema, config: JsonRecord): readonly FieldFault[] {
  const faults = faultsOf(schema, config);
  if (editor !== "passes") return faults;
  const same = duplicateIds(passesOf(config, schema));
  return [...faults, ...same.map((at) => ({ path: ["passes", at, "id"], message: "another pass has this id" }))];
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

interface ApplyProps {
  readonly strategy: StrategyAnswer;
  readonly settings: SettingsAnswer;
  readonly scope: Scope;
  /** The preset that the settings are from. */
  readonly preset?: string;
  readonly config: JsonRecord;
  readonly isWrong: boolean;
  readonly preview: Preview;
  readonly onReset: () => void;
  readonly onChanged: () => void;
}

/** What can be done with the settings of a strategy, and what that would cost. */
export function StrategyActions(props: ApplyProps) {
  const { strategy, settings, scope, config, isWrong, preview } = props;
  const change = useMutation();
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

function actionsOf({ strategy, settings, scope, config, onChanged }: ApplyProps, { run: make }: Mutation): Actions {
  const section = contextPath(scope);
  const path = `${section}.strategies.${strategy.id}`;
  const isEmpty = scope === GLOBAL && Object.keys(config).length === 0;
  const own = isEmpty ? { path } : { path, value: config };
  const send = async (entries: readonly object[], done: string) => {
    const body = { entries, ifRevision: settings.revision };
    if ((await make((api) => api.send("PATCH", "/settings", body), done)) !== undefined) onChanged();
  };
  const where = spellScope(scope);
  const isOwn = strategyIn(settings, scope).isSetHere || configIn(settings, scope, strategy.id).isSetHere;
  return {
    keep: () => void send([own], `The settings of ${strategy.name} are kept${where}.`),
    use: () =>
      void send(
        [own, { path: `${section}.strategy`, value: strategy.id }],
        `${strategy.name} is in force${where}: for new conversations now, for running ones at their next condensation.`,
      ),
    inherit:
      scope === GLOBAL || !isOwn
        ? undefined
        : () => void send([{ path }, { path: `${section}.strategy` }], `The profile ${scope} does as everything does.`),
  };
}

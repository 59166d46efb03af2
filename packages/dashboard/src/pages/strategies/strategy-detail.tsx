import type { ProfilesAnswer, SettingsAnswer, StrategiesAnswer } from "@longhaul/settings";
import { useMemo, useState } from "preact/hooks";
import { type FieldFault, faultsOf } from "../../forms/faults.ts";
import { isSchema, type JsonRecord, type Schema, setAt, withExamples } from "../../forms/schema.ts";
import { StagedForm } from "../../forms/schema-form.tsx";
import { useAnswer } from "../../gateway/gateway.tsx";
import { Card } from "../../parts/page.tsx";
import { ActualCostsCard } from "../../previews/actual-costs-card.tsx";
import { useConversation, wishFor } from "../../previews/conversation-choice.tsx";
import { PreviewCard } from "../../previews/preview-card.tsx";
import { usePreview } from "../../previews/use-preview.tsx";
import { passesOf, sameIds } from "../../settings/passes.ts";
import { inScope, recordOf, type Scope } from "../../settings/scope.ts";
import { SmartEditor } from "./smart-editor.tsx";
import { StrategyActions } from "./strategy-actions.tsx";

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
  const profiles = useAnswer<ProfilesAnswer>("/profiles");
  const schema = useMemo(() => schemaOf(strategy, profiles.value), [strategy, profiles.value]);
  const faults = strategyFaults(strategy, schema, config);
  const choice = useConversation(settings);
  const preview = usePreview(
    faults.length > 0 ? undefined : wishFor(choice, { strategy: strategy.id, config, ...inScope(scope) }),
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
  const same = sameIds(passesOf(config, schema));
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

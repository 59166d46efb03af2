import type { PresetAnswer, SettingsAnswer } from "@longhaul/admin/api";
import { useState } from "preact/hooks";
import { saveFile } from "../../components/controls.tsx";
import { Confirm } from "../../components/dialog.tsx";
import { Card } from "../../components/page.tsx";
import { hrefTo } from "../../components/router.ts";
import { configIn, recordOf, type Scope, scopeQuery, spellScope, strategyIn } from "../../forms/scope.tsx";
import { useMutation } from "../../gateway/gateway.tsx";
import type { ConversationChoice } from "../../previews/conversation-choice.tsx";
import { CostNote, previewRequest, usePreview } from "../../previews/preview.tsx";
import { passesOf, passName } from "./passes.ts";
import { SavePreset } from "./save-preset.tsx";

interface PresetCardProps {
  readonly preset: PresetAnswer;
  readonly scope: Scope;
  readonly choice: ConversationChoice;
  readonly settings: SettingsAnswer | undefined;
  readonly onChanged: () => void;
}

/** One preset: what it is, what it would cost, and what can be done with it. */
export function PresetCard(props: PresetCardProps) {
  const { preset, scope, choice, settings, onChanged } = props;
  const { run: make, isBusy } = useMutation();
  const { strategy } = preset;
  const preview = usePreview(
    previewRequest(choice, { strategy, config: recordOf(preset.config), ...scopeQuery(scope) }),
  );
  const apply = async () => {
    const body = {
      ...scopeQuery(scope),
      ...(settings === undefined ? {} : { ifRevision: settings.revision }),
    };
    const path = `/presets/${encodeURIComponent(preset.name)}/apply`;
    const done = await make((api) => api.send("POST", path, body), `“${preset.name}” is in force${spellScope(scope)}.`);
    if (done !== undefined) onChanged();
  };
  const passes = passesOf(recordOf(preset.config), {});
  return (
    <Card title={preset.name} detail={preset.isBuiltIn ? "built in" : "yours"}>
      <p>{preset.description}</p>
      <p class="row">
        <span class="badge accent">{preset.strategy}</span>
        {isInForce(props) ? <span class="badge good">in force</span> : null}
        {passes.map((pass, at) => (
          <span key={at} class="badge">
            {passName(pass)}
          </span>
        ))}
      </p>
      <PresetActions preset={preset} scope={scope} onChanged={onChanged} />
      <div class="row end last">
        <CostNote preview={preview} />
        <button
          type="button"
          class="main"
          disabled={isBusy}
          aria-label={`Apply ${preset.name}`}
          onClick={() => void apply()}
        >
          Apply
        </button>
      </div>
    </Card>
  );
}

function isInForce({ preset, settings, scope }: PresetCardProps): boolean {
  if (settings === undefined || strategyIn(settings, scope).value !== preset.strategy) return false;
  return JSON.stringify(configIn(settings, scope, preset.strategy).value) === JSON.stringify(preset.config);
}

type PresetActionsProps = Pick<PresetCardProps, "preset" | "scope" | "onChanged">;

function PresetActions({ preset, scope, onChanged }: PresetActionsProps) {
  const { run: make } = useMutation();
  const [asked, setAsked] = useState<"rename" | "copy" | "remove">();
  const { name, strategy, config, description } = preset;
  const path = `/presets/${encodeURIComponent(name)}`;
  const save = async () => {
    const file = await make((api) => api.get<object>(`${path}/export`));
    if (file !== undefined) saveFile(`${name}.preset.json`, `${JSON.stringify(file, null, 2)}\n`);
  };
  const remove = async () => {
    await make((api) => api.send("DELETE", path), `The preset “${name}” was deleted.`);
    setAsked(undefined);
    onChanged();
  };
  const saved = { strategy, config, description, onClose: () => setAsked(undefined), onSaved: onChanged };
  return (
    <div class="row">
      <a
        class="button"
        href={hrefTo("strategies", strategy, { ...scopeQuery(scope), preset: name })}
        aria-label={`Customise ${name}`}
      >
        Customise
      </a>
      <button type="button" aria-label={`Save as a preset of your own: ${name}`} onClick={() => setAsked("copy")}>
        Save as
      </button>
      <button type="button" aria-label={`Export ${name}`} onClick={() => void save()}>
        Export
      </button>
      {preset.isBuiltIn ? null : (
        <>
          <button type="button" aria-label={`Rename ${name}`} onClick={() => setAsked("rename")}>
            Rename
          </button>
          <button type="button" class="danger" aria-label={`Delete ${name}`} onClick={() => setAsked("remove")}>
            Delete
          </button>
        </>
      )}
      {asked === "copy" ? <SavePreset {...saved} title={`Save ${name} as`} /> : null}
      {asked === "rename" ? <SavePreset {...saved} title={`Rename ${name}`} name={name} renamesFrom={name} /> : null}
      {asked === "remove" ? (
        <Confirm
          title={`Delete ${name}?`}
          action="Delete it"
          onConfirm={() => void remove()}
          onClose={() => setAsked(undefined)}
        >
          What it was applied to stays as it is. This cannot be undone; export it first to have it as a file.
        </Confirm>
      ) : null}
    </div>
  );
}

import type { PresetAnswer, PresetsAnswer, SettingsAnswer } from "@longhaul/admin/api";
import { useId, useState } from "preact/hooks";
import { Button } from "../../components/button.tsx";
import { InputField, saveFile } from "../../components/controls.tsx";
import { Confirm, Dialog, DialogButtons } from "../../components/dialog.tsx";
import { Card } from "../../components/page.tsx";
import { hrefTo } from "../../components/router.ts";
import { Faults } from "../../components/status.tsx";
import { configIn, recordOf, type Scope, scopeQuery, scopeSuffix, strategyIn } from "../../forms/scope.tsx";
import { useMutation, useQuery } from "../../gateway/gateway.tsx";
import type { ConversationChoice } from "../../previews/conversation-choice.tsx";
import { CostNote, usePreview } from "../../previews/preview.tsx";
import { common } from "../../strings/common.ts";
import { strings } from "../../strings/strategies.ts";
import { passesOf, passName } from "./passes.ts";

const { presets: texts } = strings;

interface PresetCardProps {
  readonly preset: PresetAnswer;
  readonly scope: Scope;
  readonly choice: ConversationChoice;
  readonly settings: SettingsAnswer | undefined;
  readonly onChanged: () => void;
}

export function PresetCard(props: PresetCardProps) {
  const { preset, scope, choice, settings, onChanged } = props;
  const { run, isBusy } = useMutation();
  const { name, strategy } = preset;
  const config = recordOf(preset.config);
  const preview = usePreview(choice, { strategy, config, ...scopeQuery(scope) });
  const apply = async () => {
    const body = { ...scopeQuery(scope), ifRevision: settings?.revision };
    const done = await run(
      (api) => api.send("POST", `${pathOf(name)}/apply`, body),
      texts.applied(name, scopeSuffix(scope)),
    );
    if (done !== undefined) onChanged();
  };
  return (
    <Card title={name} detail={preset.isBuiltIn ? texts.builtIn : texts.custom}>
      <p>{preset.description}</p>
      <p class="row">
        <span class="badge accent">{strategy}</span>
        {isActive(props) ? <span class="badge good">{strings.active}</span> : null}
        {passesOf(config, {}).map((pass, at) => (
          <span key={at} class="badge">
            {passName(pass)}
          </span>
        ))}
      </p>
      <PresetActions preset={preset} scope={scope} onChanged={onChanged} />
      <div class="row end last">
        <CostNote preview={preview} />
        <Button
          label={texts.apply}
          class="main"
          disabled={isBusy}
          aria-label={texts.applyLabel(name)}
          onClick={apply}
        />
      </div>
    </Card>
  );
}

function isActive({ preset, settings, scope }: PresetCardProps): boolean {
  if (settings === undefined || strategyIn(settings, scope).value !== preset.strategy) return false;
  return JSON.stringify(configIn(settings, scope, preset.strategy).value) === JSON.stringify(preset.config);
}

type PresetActionsProps = Pick<PresetCardProps, "preset" | "scope" | "onChanged">;

function PresetActions({ preset, scope, onChanged }: PresetActionsProps) {
  const { run } = useMutation();
  const [dialog, setDialog] = useState<"rename" | "copy" | "delete">();
  const { name, strategy, config, description } = preset;
  const path = pathOf(name);
  const close = () => setDialog(undefined);
  const save = async () => {
    const file = await run((api) => api.get<object>(`${path}/export`));
    if (file !== undefined) saveFile(`${name}.preset.json`, `${JSON.stringify(file, null, 2)}\n`);
  };
  const remove = async () => {
    await run((api) => api.send("DELETE", path), texts.deleted(name));
    close();
    onChanged();
  };
  const saved = { strategy, config, description, onClose: close, onSaved: onChanged };
  return (
    <div class="row">
      <a
        class="button"
        href={hrefTo("strategies", strategy, { ...scopeQuery(scope), preset: name })}
        aria-label={texts.customizeLabel(name)}
      >
        {texts.customize}
      </a>
      <Button label={texts.duplicate} aria-label={texts.duplicateLabel(name)} onClick={() => setDialog("copy")} />
      <Button label={texts.export} aria-label={texts.exportLabel(name)} onClick={save} />
      {preset.isBuiltIn ? null : (
        <>
          <Button label={texts.rename} aria-label={texts.renameLabel(name)} onClick={() => setDialog("rename")} />
          <Button
            label={texts.delete}
            class="danger"
            aria-label={texts.deleteLabel(name)}
            onClick={() => setDialog("delete")}
          />
        </>
      )}
      {dialog === "copy" ? <SavePreset {...saved} title={texts.duplicateLabel(name)} /> : null}
      {dialog === "rename" ? (
        <SavePreset {...saved} title={texts.renameLabel(name)} name={name} renamesFrom={name} />
      ) : null}
      {dialog === "delete" ? (
        <Confirm title={texts.deleteTitle(name)} action={texts.deleteAction} onConfirm={remove} onClose={close}>
          {texts.deleteHelp}
        </Confirm>
      ) : null}
    </div>
  );
}

interface SavePresetProps {
  readonly title: string;
  readonly strategy: string;
  readonly config: Readonly<Record<string, unknown>>;
  readonly name?: string | undefined;
  readonly description?: string;
  /** The preset to rename. Without it, a copy is saved. */
  readonly renamesFrom?: string;
  readonly onClose: () => void;
  readonly onSaved?: () => void;
}

export function SavePreset(props: SavePresetProps) {
  const { strategy, config, renamesFrom, onClose, onSaved } = props;
  const { run, isBusy, faults } = useMutation();
  const presets = useQuery<PresetsAnswer>("/presets");
  const [name, setName] = useState(props.name ?? "");
  const [description, setDescription] = useState(props.description ?? "");
  const id = useId();
  const trimmed = name.trim();
  const existing = presets.value?.presets.find((preset) => preset.name === trimmed && preset.name !== renamesFrom);
  const isTaken = existing !== undefined && (existing.isBuiltIn || renamesFrom !== undefined);
  const replaces = existing !== undefined && !isTaken;
  const save = async (event: SubmitEvent) => {
    event.preventDefault();
    const saved = await run(async (api) => {
      await api.send("PUT", pathOf(trimmed), { description, strategy, config });
      if (renamesFrom !== undefined && renamesFrom !== trimmed) await api.send("DELETE", pathOf(renamesFrom));
      return true;
    }, texts.saved(trimmed));
    if (saved === undefined) return;
    onSaved?.();
    onClose();
  };
  return (
    <Dialog title={props.title} onClose={onClose}>
      <form class="form" onSubmit={(event) => void save(event)}>
        <div class="field">
          <label for={`${id}-name`}>{common.name}</label>
          <input
            id={`${id}-name`}
            value={name}
            required
            maxLength={100}
            autocomplete="off"
            aria-invalid={isTaken}
            aria-describedby={`${id}-taken`}
            onInput={({ currentTarget }) => setName(currentTarget.value)}
          />
          <p id={`${id}-taken`} class={isTaken ? "fault" : "help"}>
            {isTaken ? texts.nameTaken : replaces ? texts.replaces : ""}
          </p>
        </div>
        <InputField label={texts.description} value={description} maxLength={1_000} onText={setDescription} />
        <Faults faults={faults} />
        <DialogButtons onClose={onClose}>
          <Button
            label={replaces ? texts.replace : common.save}
            type="submit"
            class="main"
            disabled={isBusy || isTaken || trimmed === ""}
          />
        </DialogButtons>
      </form>
    </Dialog>
  );
}

function pathOf(name: string): string {
  return `/presets/${encodeURIComponent(name)}`;
}

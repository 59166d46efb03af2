import type { KeyAnswer, NewKeyAnswer } from "@longhaul/admin/api";
import { useState } from "preact/hooks";
import { Button } from "../../components/button.tsx";
import { Copyable } from "../../components/controls.tsx";
import { Confirm, Dialog, DialogButtons } from "../../components/dialog.tsx";
import { useMutation } from "../../gateway/gateway.tsx";
import { common } from "../../strings/common.ts";
import { strings } from "../../strings/keys.ts";

/** The limits of a key, in the order of the form. */
export const LIMITS = ["requestsPerMinute", "concurrent", "usdPerDay", "usdPerMonth"] as const;

export function NewKey({ onClose, onCreated }: { readonly onClose: () => void; readonly onCreated: () => void }) {
  const { run, isBusy } = useMutation();
  const [created, setCreated] = useState<NewKeyAnswer>();
  const create = async (body: KeyBody) => {
    const answer = await run((api) => api.send<NewKeyAnswer>("POST", "/keys", body));
    if (answer === undefined) return;
    setCreated(answer);
    onCreated();
  };
  if (created === undefined) {
    return (
      <Dialog title={strings.createTitle} onClose={onClose}>
        <KeyForm action={strings.create} isBusy={isBusy} onSubmit={create} onClose={onClose} />
      </Dialog>
    );
  }
  return (
    <Dialog title={strings.created} onClose={onClose}>
      <p>{strings.createdHelp}</p>
      <Copyable label={strings.copyWhat} text={created.key} />
      <div class="row end">
        <Button label={strings.done} class="main" onClick={onClose} />
      </div>
    </Dialog>
  );
}

interface KeyDialogProps {
  readonly shown: KeyAnswer;
  readonly onClose: () => void;
  readonly onChanged: () => void;
}

export function EditKey({ shown, onClose, onChanged }: KeyDialogProps) {
  const { run, isBusy } = useMutation();
  const save = async (body: KeyBody) => {
    const answer = await run((api) => api.send("PATCH", `/keys/${shown.id}`, body), strings.updated);
    if (answer === undefined) return;
    onChanged();
    onClose();
  };
  return (
    <Dialog title={common.editLabel(shown.name)} onClose={onClose}>
      <KeyForm shown={shown} action={common.save} isBusy={isBusy} onSubmit={save} onClose={onClose} />
    </Dialog>
  );
}

export function RevokeKey({ shown, onClose, onChanged }: KeyDialogProps) {
  const { run } = useMutation();
  const revoke = async () => {
    await run((api) => api.send("DELETE", `/keys/${shown.id}`), strings.wasRevoked);
    onChanged();
    onClose();
  };
  return (
    <Confirm title={strings.revokeTitle(shown.name)} action={strings.revokeAction} onConfirm={revoke} onClose={onClose}>
      {strings.revokeHelp}
    </Confirm>
  );
}

type KeyBody = ReturnType<typeof bodyIn>;

interface KeyFormProps {
  /** Absent for a new key. */
  readonly shown?: KeyAnswer;
  readonly action: string;
  readonly isBusy: boolean;
  readonly onSubmit: (body: KeyBody) => Promise<void>;
  readonly onClose: () => void;
}

function KeyForm({ shown, action, isBusy, onSubmit, onClose }: KeyFormProps) {
  const submit = (event: SubmitEvent) => {
    event.preventDefault();
    if (event.currentTarget instanceof HTMLFormElement) void onSubmit(bodyIn(new FormData(event.currentTarget)));
  };
  return (
    <form class="form" onSubmit={submit}>
      <div class="field">
        <label for="key-name">{common.name}</label>
        <input id="key-name" name="name" required maxLength={200} defaultValue={shown?.name ?? ""} autocomplete="off" />
      </div>
      <ModelsField models={shown?.models ?? []} />
      <LimitFields limits={shown?.limits ?? {}} />
      <DialogButtons onClose={onClose}>
        <Button label={action} type="submit" class="main" disabled={isBusy} />
      </DialogButtons>
    </form>
  );
}

function ModelsField({ models }: { readonly models: readonly string[] }) {
  return (
    <div class="field">
      <label for="key-models">{strings.models}</label>
      <p class="help soft small" id="key-models-help">
        {strings.modelsHelp}
      </p>
      <textarea
        id="key-models"
        name="models"
        rows={3}
        class="code"
        spellcheck={false}
        aria-describedby="key-models-help"
        placeholder={strings.modelsExample}
        defaultValue={models.join("\n")}
      />
    </div>
  );
}

function LimitFields({ limits }: { readonly limits: KeyAnswer["limits"] }) {
  return (
    <fieldset class="form">
      <legend>{strings.columns.limits}</legend>
      <p class="help soft small">{strings.limitsHelp}</p>
      {LIMITS.map((name) => (
        <div class="field narrow" key={name}>
          <label for={`limit-${name}`}>{strings.limits[name]}</label>
          <input id={`limit-${name}`} name={name} type="number" min={0} step="any" defaultValue={limits[name] ?? ""} />
        </div>
      ))}
    </fieldset>
  );
}

function bodyIn(form: FormData) {
  const given = LIMITS.map((name) => [name, String(form.get(name) ?? "")] as const).filter(([, text]) => text !== "");
  const limits = Object.fromEntries(given.map(([name, text]) => [name, Number(text)]));
  const models = String(form.get("models") ?? "")
    .split(/[\n,]/)
    .map((name) => name.trim())
    .filter((name) => name !== "");
  return { name: String(form.get("name")), models, limits };
}

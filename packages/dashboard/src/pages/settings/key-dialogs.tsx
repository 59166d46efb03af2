import type { KeyAnswer, NewKeyAnswer } from "@longhaul/admin/api";
import { useState } from "preact/hooks";
import { Copyable } from "../../components/controls.tsx";
import { Confirm, Dialog, DialogButtons } from "../../components/dialog.tsx";
import { useMutation } from "../../gateway/gateway.tsx";

/** What a key can be limited to. */
export const LIMITS = [
  ["requestsPerMinute", "Requests per minute"],
  ["concurrent", "Requests at once"],
  ["usdPerDay", "USD per day"],
  ["usdPerMonth", "USD per month"],
] as const;

interface NewKeyProps {
  readonly onClose: () => void;
  readonly onMade: () => void;
}

/** Makes a key, and shows it this once. */
export function NewKey({ onClose, onMade }: NewKeyProps) {
  const { run: make, isBusy } = useMutation();
  const [made, setMade] = useState<NewKeyAnswer>();
  const create = async (body: KeyBody) => {
    const answer = await make((api) => api.send<NewKeyAnswer>("POST", "/keys", body));
    if (answer === undefined) return;
    setMade(answer);
    onMade();
  };
  if (made === undefined) {
    return (
      <Dialog title="New key" onClose={onClose}>
        <KeyForm action="Make the key" isBusy={isBusy} onSubmit={create} onClose={onClose} />
      </Dialog>
    );
  }
  return (
    <Dialog title="Keep this key" onClose={onClose}>
      <p>It is shown this once. Clients send it where they would send the vendor's key.</p>
      <Copyable label="the key" text={made.key} />
      <div class="row end">
        <button type="button" class="main" onClick={onClose}>
          I have it
        </button>
      </div>
    </Dialog>
  );
}

interface ChangeKeyProps {
  readonly shown: KeyAnswer;
  readonly onClose: () => void;
  readonly onChanged: () => void;
}

/** Gives a key another name or other limits. */
export function ChangeKey({ shown, onClose, onChanged }: ChangeKeyProps) {
  const { run: make, isBusy } = useMutation();
  const save = async (body: KeyBody) => {
    const answer = await make((api) => api.send("PATCH", `/keys/${shown.id}`, body), "The key was changed.");
    if (answer === undefined) return;
    onChanged();
    onClose();
  };
  return (
    <Dialog title={`Change ${shown.name}`} onClose={onClose}>
      <KeyForm shown={shown} action="Save" isBusy={isBusy} onSubmit={save} onClose={onClose} />
    </Dialog>
  );
}

interface RevokeKeyProps {
  readonly shown: KeyAnswer;
  readonly onClose: () => void;
  readonly onRevoked: () => void;
}

/** Makes a key worthless, once it was asked whether that is meant. */
export function RevokeKey({ shown, onClose, onRevoked }: RevokeKeyProps) {
  const { run: make } = useMutation();
  const revoke = async () => {
    await make((api) => api.send("DELETE", `/keys/${shown.id}`), "The key was revoked.");
    onRevoked();
    onClose();
  };
  return (
    <Confirm title={`Revoke ${shown.name}?`} action="Revoke it" onConfirm={() => void revoke()} onClose={onClose}>
      Clients that show it are refused within a second. This cannot be undone; make a new key instead.
    </Confirm>
  );
}

interface KeyBody {
  readonly name: string;
  readonly limits: Readonly<Record<string, number>>;
}

interface KeyFormProps {
  /** Nothing for a new one. */
  readonly shown?: KeyAnswer;
  /** What the button says that goes on. */
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
        <label for="key-name">Name</label>
        <input id="key-name" name="name" required maxLength={200} defaultValue={shown?.name ?? ""} autocomplete="off" />
      </div>
      <LimitFields limits={shown?.limits ?? {}} />
      <DialogButtons onClose={onClose}>
        <button type="submit" class="main" disabled={isBusy}>
          {action}
        </button>
      </DialogButtons>
    </form>
  );
}

function LimitFields({ limits }: { readonly limits: KeyAnswer["limits"] }) {
  return (
    <fieldset class="form">
      <legend>Limits</legend>
      <p class="help soft small">What is left empty is not limited.</p>
      {LIMITS.map(([name, words]) => (
        <div class="field narrow" key={name}>
          <label for={`limit-${name}`}>{words}</label>
          <input id={`limit-${name}`} name={name} type="number" min={0} step="any" defaultValue={limits[name] ?? ""} />
        </div>
      ))}
    </fieldset>
  );
}

function bodyIn(form: FormData): KeyBody {
  const given = LIMITS.map(([name]) => [name, String(form.get(name) ?? "")] as const).filter(([, text]) => text !== "");
  const limits = Object.fromEntries(given.map(([name, text]) => [name, Number(text)]));
  return { name: String(form.get("name")), limits };
}

import type { SettingSpecsAnswer } from "@longhaul/settings";
import { useId, useMemo, useState } from "preact/hooks";
import { faultsOf } from "../../forms/faults.ts";
import { isJson, type Json, type Schema, setAt } from "../../forms/schema.ts";
import { SchemaField } from "../../forms/schema-form.tsx";
import { useChange } from "../../gateway/change.tsx";
import { Faults } from "../../parts/answered.tsx";
import { Confirm, Dialog, DialogButtons } from "../../parts/dialog.tsx";
import { changesOf, sectionSchema } from "./section-schema.ts";

/** An upstream or a profile. */
export interface Section {
  readonly name: string;
  readonly settings: Readonly<Record<string, unknown>>;
  /** Those that are set. */
  readonly secrets: readonly string[];
  readonly canRemove: boolean;
}

interface SectionEditorProps {
  readonly kind: "upstreams" | "profiles";
  /** What one of them is called. */
  readonly what: string;
  readonly specs: SettingSpecsAnswer;
  /** Nothing for a new one. */
  readonly shown?: Section;
  readonly onClose: () => void;
  readonly onChanged: () => void;
}

/** Makes, changes or removes an upstream or a profile. */
export function SectionEditor({ kind, what, specs, shown, onClose, onChanged }: SectionEditorProps) {
  const { make, isBusy, faults: refused } = useChange();
  const schema: Schema = useMemo(() => sectionSchema(specs, kind), [specs, kind]);
  const before = isJson(shown?.settings) ? shown.settings : {};
  const [name, setName] = useState(shown?.name ?? "");
  const [value, setValue] = useState<Json | undefined>(before);
  const [isRemoving, setRemoving] = useState(false);
  const faults = faultsOf(schema, value);
  const path = `/${kind}/${encodeURIComponent(name)}`;
  const finish = (answer: unknown) => {
    if (answer === undefined) return;
    onChanged();
    onClose();
  };
  const save = async () =>
    finish(await make((api) => api.send("PATCH", path, changesOf(before, value)), `${name} is saved.`));
  const remove = async () => finish(await make((api) => api.send("DELETE", path), `${name} was removed.`));
  if (isRemoving) {
    return (
      <ConfirmRemoval name={name} what={what} onConfirm={() => void remove()} onClose={() => setRemoving(false)} />
    );
  }
  return (
    <Dialog title={shown === undefined ? `New ${what}` : shown.name} onClose={onClose}>
      {shown === undefined ? <NameField name={name} onName={setName} /> : null}
      <SchemaField
        schema={schema}
        name=""
        value={value}
        path={[]}
        faults={faults}
        onChange={(at, next) => setValue(setAt(value, at, next))}
      />
      {shown === undefined || shown.secrets.length === 0 ? null : (
        <p class="soft small">Set and not shown: {shown.secrets.join(", ")}. What you type replaces it.</p>
      )}
      <Faults faults={refused} />
      <DialogButtons
        onClose={onClose}
        before={
          shown?.canRemove === true ? (
            <button type="button" class="danger" onClick={() => setRemoving(true)}>
              Remove
            </button>
          ) : null
        }
      >
        <button
          type="button"
          class="main"
          disabled={isBusy || faults.length > 0 || !/^[\w.-]+$/.test(name)}
          onClick={() => void save()}
        >
          Save
        </button>
      </DialogButtons>
    </Dialog>
  );
}

interface NameFieldProps {
  readonly name: string;
  readonly onName: (name: string) => void;
}

function NameField({ name, onName }: NameFieldProps) {
  const id = useId();
  return (
    <div class="field">
      <label for={id}>Name</label>
      <input
        id={id}
        required
        pattern="[\w.\-]+"
        autocomplete="off"
        value={name}
        onInput={({ currentTarget }) => onName(currentTarget.value)}
      />
      <p class="help">Letters, digits, dots and dashes.</p>
    </div>
  );
}

interface ConfirmRemovalProps {
  readonly name: string;
  readonly what: string;
  readonly onConfirm: () => void;
  readonly onClose: () => void;
}

function ConfirmRemoval({ name, what, onConfirm, onClose }: ConfirmRemovalProps) {
  return (
    <Confirm title={`Remove ${name}?`} action="Remove it" onConfirm={onConfirm} onClose={onClose}>
      What was stored of this {what} is deleted. History can put single settings back, but not secrets.
    </Confirm>
  );
}

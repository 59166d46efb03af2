import type { SettingsAnswer } from "@longhaul/admin/api";
import { useId, useState } from "preact/hooks";
import { Dialog, DialogButtons } from "../../components/dialog.tsx";
import { Faults } from "../../components/status.tsx";
import { faultsOf } from "../../forms/faults.ts";
import { HelpText } from "../../forms/fields.tsx";
import { isJson, isSchema, type Json, jsonIn, type Schema, setAt } from "../../forms/schema.ts";
import { SchemaField } from "../../forms/schema-form.tsx";
import { storedPath } from "../../forms/scope.tsx";
import { useMutation } from "../../gateway/gateway.tsx";

/** One setting, and what holds for it. */
export type SettingAnswer = SettingsAnswer["settings"][number];

interface EditorProps {
  readonly setting: SettingAnswer;
  readonly revision: number;
  readonly onClose: () => void;
  readonly onChanged: () => void;
}

/** Stores another value for a setting, or takes back what is stored. */
export function SettingEditor({ setting, revision, onClose, onChanged }: EditorProps) {
  const { run: make, isBusy, faults: refused } = useMutation();
  const [value, setValue] = useState<Json | undefined>(isJson(setting.value) ? setting.value : undefined);
  const schema: Schema = isSchema(setting.schema) ? { ...setting.schema, description: setting.help } : {};
  const faults = faultsOf(schema, value);
  const path = storedPath(setting);
  const store = async (entry: { readonly path: string; readonly value?: Json }) => {
    const body = { entries: [entry], ifRevision: revision };
    const answer = await make((api) => api.send("PATCH", "/settings", body), `${path} was changed.`);
    if (answer === undefined) return;
    onChanged();
    onClose();
  };
  return (
    <Dialog title={path} onClose={onClose}>
      {setting.isSecret ? (
        <SecretField help={setting.help} isText={schema.type !== "object"} onInput={setValue} />
      ) : (
        <SchemaField
          schema={schema}
          name={nameOf(path)}
          value={value}
          path={[]}
          faults={faults}
          onChange={(at, next) => setValue(setAt(value, at, next))}
        />
      )}
      <Faults faults={refused} />
      <DialogButtons
        onClose={onClose}
        before={
          setting.origin === "stored" ? (
            <button type="button" disabled={isBusy} onClick={() => void store({ path })}>
              Take back what is stored
            </button>
          ) : null
        }
      >
        <button
          type="button"
          class="main"
          disabled={isBusy || faults.length > 0 || value === undefined}
          onClick={() => void store({ path, ...(value === undefined ? {} : { value }) })}
        >
          Save
        </button>
      </DialogButtons>
    </Dialog>
  );
}

function nameOf(path: string): string {
  return path.split(".").at(-1) ?? path;
}

interface SecretFieldProps {
  readonly help: string;
  /** Else it is JSON. */
  readonly isText: boolean;
  readonly onInput: (value: Json | undefined) => void;
}

function SecretField({ help, isText, onInput }: SecretFieldProps) {
  const id = useId();
  const read = (text: string) => onInput(text === "" ? undefined : isText ? text : jsonIn({}, text));
  return (
    <div class="field">
      <label for={id}>{isText ? "New value" : "New value, as JSON"}</label>
      <input id={id} type="password" autocomplete="off" onInput={({ currentTarget }) => read(currentTarget.value)} />
      <p class="help">
        <HelpText of={help} /> It is written, and never shown again.
      </p>
    </div>
  );
}

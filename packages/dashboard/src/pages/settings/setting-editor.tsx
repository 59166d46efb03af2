import type { SettingsAnswer } from "@longhaul/admin/api";
import { useId, useState } from "preact/hooks";
import { Dialog, DialogButtons } from "../../components/dialog.tsx";
import { HelpText } from "../../components/page.tsx";
import { Faults } from "../../components/status.tsx";
import { faultsOf } from "../../forms/faults.ts";
import { isJson, isSchema, type Json, jsonIn, type Schema, setAt } from "../../forms/schema.ts";
import { SchemaField } from "../../forms/schema-form.tsx";
import { storedPath } from "../../forms/scope.tsx";
import { useMutation } from "../../gateway/gateway.tsx";
import { common } from "../../strings/common.ts";
import { strings } from "../../strings/settings.ts";

const { editor: texts } = strings;

export type SettingAnswer = SettingsAnswer["settings"][number];

interface EditorProps {
  readonly setting: SettingAnswer;
  readonly revision: number;
  readonly onClose: () => void;
  readonly onChanged: () => void;
}

export function SettingEditor({ setting, revision, onClose, onChanged }: EditorProps) {
  const { run, isBusy, faults: rejected } = useMutation();
  const [value, setValue] = useState<Json | undefined>(isJson(setting.value) ? setting.value : undefined);
  const schema: Schema = isSchema(setting.schema) ? { ...setting.schema, description: setting.help } : {};
  const faults = faultsOf(schema, value);
  const path = storedPath(setting);
  const store = async (entry: { readonly path: string; readonly value?: Json }) => {
    const body = { entries: [entry], ifRevision: revision };
    const answer = await run((api) => api.send("PATCH", "/settings", body), texts.saved(path));
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
          name={path.split(".").at(-1) ?? path}
          value={value}
          path={[]}
          faults={faults}
          onChange={(at, next) => setValue(setAt(value, at, next))}
        />
      )}
      <Faults faults={rejected} />
      <DialogButtons
        onClose={onClose}
        before={
          setting.origin === "stored" ? (
            <button type="button" disabled={isBusy} onClick={() => void store({ path })}>
              {texts.removeOverride}
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
          {common.save}
        </button>
      </DialogButtons>
    </Dialog>
  );
}

interface SecretFieldProps {
  readonly help: string;
  /** Whether the value is a text; otherwise it is JSON. */
  readonly isText: boolean;
  readonly onInput: (value: Json | undefined) => void;
}

function SecretField({ help, isText, onInput }: SecretFieldProps) {
  const id = useId();
  const read = (text: string) => onInput(text === "" ? undefined : isText ? text : jsonIn({}, text));
  return (
    <div class="field">
      <label for={id}>{isText ? texts.newValue : texts.newJson}</label>
      <input id={id} type="password" autocomplete="off" onInput={({ currentTarget }) => read(currentTarget.value)} />
      <p class="help">
        <HelpText of={help} />
        {texts.writeOnly}
      </p>
    </div>
  );
}

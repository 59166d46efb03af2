import type { SettingsAnswer } from "@longhaul/admin/api";
import { useState } from "preact/hooks";
import { Button } from "../../components/button.tsx";
import { InputField } from "../../components/controls.tsx";
import { Dialog, DialogButtons } from "../../components/dialog.tsx";
import { HelpText } from "../../components/page.tsx";
import { Faults } from "../../components/status.tsx";
import { faultsOf } from "../../forms/faults.ts";
import { isJson, isSchema, type Json, jsonIn, type Schema } from "../../forms/schema.ts";
import { ValueForm } from "../../forms/schema-form.tsx";
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
  const isText = schema.type !== "object";
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
        <InputField
          label={isText ? texts.newValue : texts.newJson}
          help={[<HelpText key="help" of={setting.help} />, texts.writeOnly]}
          type="password"
          autocomplete="off"
          onText={(text) => setValue(text === "" ? undefined : isText ? text : jsonIn({}, text))}
        />
      ) : (
        <ValueForm schema={schema} name={path.split(".").at(-1)} value={value} faults={faults} onChange={setValue} />
      )}
      <Faults faults={rejected} />
      <DialogButtons
        onClose={onClose}
        before={
          setting.origin === "stored" ? (
            <Button label={texts.removeOverride} disabled={isBusy} onClick={() => void store({ path })} />
          ) : null
        }
      >
        <Button
          label={common.save}
          class="main"
          disabled={isBusy || faults.length > 0 || value === undefined}
          onClick={() => void store({ path, ...(value === undefined ? {} : { value }) })}
        />
      </DialogButtons>
    </Dialog>
  );
}

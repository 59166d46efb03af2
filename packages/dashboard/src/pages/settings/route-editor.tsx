import type { SettingSpecsAnswer } from "@longhaul/admin/api";
import { useMemo, useState } from "preact/hooks";
import { Button } from "../../components/button.tsx";
import { Dialog, DialogButtons } from "../../components/dialog.tsx";
import { faultsOf } from "../../forms/faults.ts";
import { isList, isRecord, type Json, type JsonRecord, type Schema } from "../../forms/schema.ts";
import { ValueForm } from "../../forms/schema-form.tsx";
import { common } from "../../strings/common.ts";
import { strings } from "../../strings/routes.ts";
import { sectionSchema } from "./sections.tsx";

interface RouteEditorProps {
  readonly specs: SettingSpecsAnswer;
  /** Absent for a new route. */
  readonly shown: JsonRecord | undefined;
  /** Returns whether the route was stored. */
  readonly onSave: (route: JsonRecord) => Promise<boolean>;
  readonly onClose: () => void;
}

/** A form for one route. Settings that it does not show are kept. */
export function RouteEditor({ specs, shown, onSave, onClose }: RouteEditorProps) {
  const schema = useMemo(() => routeSchema(specs), [specs]);
  const [value, setValue] = useState<Json | undefined>(() => withUpstreams(shown ?? {}));
  const [isBusy, setBusy] = useState(false);
  const faults = faultsOf(schema, value);
  const further = Object.keys(shown ?? {}).filter((name) => !FIELDS.includes(name));
  const save = async () => {
    setBusy(true);
    const isStored = await onSave(routeOf(value));
    setBusy(false);
    if (isStored) onClose();
  };
  return (
    <Dialog title={shown === undefined ? strings.new : strings.edit(String(shown.match))} onClose={onClose}>
      <ValueForm schema={schema} value={value} faults={faults} onChange={setValue} />
      {further.length === 0 ? null : <p class="soft small">{strings.furtherHelp(further.join(", "))}</p>}
      <DialogButtons onClose={onClose}>
        <Button
          label={common.save}
          class="main"
          disabled={isBusy || faults.length > 0 || !isComplete(value)}
          onClick={() => void save()}
        />
      </DialogButtons>
    </Dialog>
  );
}

const FIELDS: readonly string[] = ["match", "upstream", "model", "models", "profile", "credential"];

function routeSchema(specs: SettingSpecsAnswer): Schema {
  const { properties = {} } = sectionSchema(specs, "routes");
  const shown = FIELDS.flatMap((name) => (properties[name] === undefined ? [] : [[name, properties[name]] as const]));
  const upstream = { type: "array", items: { type: "string" }, description: strings.upstreamHelp };
  return { type: "object", properties: { ...Object.fromEntries(shown), upstream } };
}

/** The form edits a list. */
export function withUpstreams(route: JsonRecord): JsonRecord {
  const { upstream } = route;
  return upstream === undefined || isList(upstream) ? route : { ...route, upstream: [upstream] };
}

/** A single upstream is stored as a text, as people write it. */
export function routeOf(value: Json | undefined): JsonRecord {
  const route = isRecord(value) ? value : {};
  const { upstream } = route;
  const [only, ...others] = isList(upstream) ? upstream : [];
  return only !== undefined && others.length === 0 ? { ...route, upstream: only } : route;
}

function isComplete(value: Json | undefined): boolean {
  const { match, upstream } = isRecord(value) ? value : {};
  return typeof match === "string" && match !== "" && isList(upstream) && upstream.length > 0;
}

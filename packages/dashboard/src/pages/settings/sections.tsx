import type { ProfilesAnswer, SettingSpecsAnswer } from "@longhaul/admin/api";
import type { ComponentChildren } from "preact";
import { useMemo, useState } from "preact/hooks";
import { Button } from "../../components/button.tsx";
import { InputField } from "../../components/controls.tsx";
import { Confirm, Dialog, DialogButtons } from "../../components/dialog.tsx";
import { Card, Page } from "../../components/page.tsx";
import { Empty, Faults, Loaded } from "../../components/status.tsx";
import { faultsOf } from "../../forms/faults.ts";
import { isJson, isRecord, isSchema, type Json, type Schema } from "../../forms/schema.ts";
import { ValueForm } from "../../forms/schema-form.tsx";
import { useMutation, useQuery } from "../../gateway/gateway.tsx";
import { common } from "../../strings/common.ts";
import { toLabel } from "../../strings/format.ts";
import { strings } from "../../strings/upstreams.ts";

const { editor: texts } = strings;

/** A named section of the settings: an upstream or a profile. */
type Section = Pick<ProfilesAnswer["profiles"][number], "name" | "settings" | "secrets" | "canRemove">;

type Kind = "upstreams" | "profiles";

interface SectionsPageProps<T, S extends Section> {
  readonly kind: Kind;
  readonly sectionsIn: (answer: T) => readonly S[];
  readonly card: (section: S, onEdit: () => void) => ComponentChildren;
  /** The fields that the form shows for a value. @default all */
  readonly fieldsOf?: (answer: T, value: Json | undefined) => readonly string[];
  /** Shown below the cards. */
  readonly children?: ComponentChildren;
}

export function SectionsPage<T, S extends Section>(props: SectionsPageProps<T, S>) {
  const { kind, sectionsIn, card, fieldsOf, children } = props;
  const { title, lead, add, empty, emptyHelp } = strings[kind];
  const query = useQuery<T>(`/${kind}`, ["settings"]);
  const specs = useQuery<SettingSpecsAnswer>("/settings/specs");
  const [edited, setEdited] = useState<S | "new">();
  return (
    <Page
      title={title}
      lead={lead}
      actions={<Button label={add} icon="plus" class="main" onClick={() => setEdited("new")} />}
    >
      <Loaded query={query}>
        {(value) => {
          const sections = sectionsIn(value);
          return sections.length === 0 ? (
            <Card>
              <Empty title={empty} help={emptyHelp} />
            </Card>
          ) : (
            <div class="grid two">{sections.map((section) => card(section, () => setEdited(section)))}</div>
          );
        }}
      </Loaded>
      {children}
      {edited === undefined || specs.value === undefined ? null : (
        <SectionEditor
          kind={kind}
          specs={specs.value}
          {...(query.value === undefined || fieldsOf === undefined
            ? {}
            : { fieldsOf: fieldsOf.bind(undefined, query.value) })}
          {...(edited === "new" ? {} : { shown: edited })}
          onClose={() => setEdited(undefined)}
          onChanged={query.reload}
        />
      )}
    </Page>
  );
}

interface SectionEditorProps {
  readonly kind: Kind;
  readonly specs: SettingSpecsAnswer;
  readonly fieldsOf?: (value: Json | undefined) => readonly string[];
  /** Absent for a new section. */
  readonly shown?: Section;
  readonly onClose: () => void;
  readonly onChanged: () => void;
}

function SectionEditor({ kind, specs, fieldsOf, shown, onClose, onChanged }: SectionEditorProps) {
  const { run, isBusy, faults: rejected } = useMutation();
  const all: Schema = useMemo(() => sectionSchema(specs, kind), [specs, kind]);
  const before = isJson(shown?.settings) ? shown.settings : {};
  const [name, setName] = useState(shown?.name ?? "");
  const [value, setValue] = useState<Json | undefined>(before);
  const [isRemoving, setRemoving] = useState(false);
  const schema = fieldsOf === undefined ? all : withFields(all, fieldsOf(value), value);
  const faults = faultsOf(schema, value);
  const finish = () => {
    onChanged();
    onClose();
  };
  const save = async () => {
    const answer = await run(
      (api) => api.send("PATCH", pathOf(kind, name), changesOf(before, value)),
      texts.saved(name),
    );
    if (answer !== undefined) finish();
  };
  if (isRemoving)
    return <RemoveSection kind={kind} name={name} onClose={() => setRemoving(false)} onRemoved={finish} />;
  return (
    <Dialog title={shown?.name ?? strings[kind].new} onClose={onClose}>
      {shown === undefined ? (
        <InputField
          label={common.name}
          help={texts.nameHelp}
          required
          pattern="[\w.\-]+"
          autocomplete="off"
          value={name}
          onText={setName}
        />
      ) : null}
      <ValueForm schema={schema} value={value} faults={faults} onChange={setValue} />
      {shown === undefined || shown.secrets.length === 0 ? null : (
        <p class="soft small">{texts.secrets(shown.secrets.map(toLabel).join(", "))}</p>
      )}
      <Faults faults={rejected} />
      <DialogButtons
        onClose={onClose}
        before={
          shown?.canRemove === true ? (
            <Button label={common.remove} class="danger" onClick={() => setRemoving(true)} />
          ) : null
        }
      >
        <Button
          label={common.save}
          class="main"
          disabled={isBusy || faults.length > 0 || !/^[\w.-]+$/.test(name)}
          onClick={save}
        />
      </DialogButtons>
    </Dialog>
  );
}

interface RemoveSectionProps extends Pick<SectionEditorProps, "kind" | "onClose"> {
  readonly name: string;
  readonly onRemoved: () => void;
}

function RemoveSection({ kind, name, onClose, onRemoved }: RemoveSectionProps) {
  const { run } = useMutation();
  const remove = async () => {
    const answer = await run((api) => api.send("DELETE", pathOf(kind, name)), texts.removed(name));
    if (answer !== undefined) onRemoved();
  };
  return (
    <Confirm title={texts.removeTitle(name)} action={strings[kind].removeAction} onConfirm={remove} onClose={onClose}>
      {texts.removeHelp}
    </Confirm>
  );
}

function pathOf(kind: Kind, name: string): string {
  return `/${kind}/${encodeURIComponent(name)}`;
}

export function sectionSchema({ settings }: Pick<SettingSpecsAnswer, "settings">, kind: string): Schema {
  const prefix = `${kind}.*.`;
  const own = settings.filter(({ path }) => path.startsWith(prefix));
  return own.reduce<Schema>(
    (outer, { path, help, schema, isSecret }) =>
      withProperty(outer, path.slice(prefix.length).split("."), {
        ...(isSchema(schema) ? schema : {}),
        description: help,
        ...(isSecret && { writeOnly: true }),
      }),
    { type: "object", properties: {} },
  );
}

/** Leaves out the fields that are neither listed nor set. */
export function withFields(schema: Schema, fields: readonly string[], value: Json | undefined): Schema {
  const set = isRecord(value) ? value : {};
  const shown = Object.entries(schema.properties ?? {}).filter(([name]) => fields.includes(name) || name in set);
  return { ...schema, properties: Object.fromEntries(shown) };
}

function withProperty(outer: Schema, [name = "", ...rest]: readonly string[], inner: Schema): Schema {
  const { properties = {} } = outer;
  const next =
    rest.length === 0 ? inner : withProperty(properties[name] ?? { type: "object", properties: {} }, rest, inner);
  return { ...outer, type: "object", properties: { ...properties, [name]: next } };
}

/** Returns the changed properties of a section; `null` removes one. */
export function changesOf(before: Json | undefined, after: Json | undefined): Readonly<Record<string, Json>> {
  const [old, next] = [isRecord(before) ? before : {}, isRecord(after) ? after : {}];
  const names = new Set([...Object.keys(old), ...Object.keys(next)]);
  const changed = [...names].filter((name) => JSON.stringify(old[name]) !== JSON.stringify(next[name]));
  return Object.fromEntries(changed.map((name) => [name, next[name] ?? null]));
}

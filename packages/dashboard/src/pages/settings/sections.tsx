import type { SettingSpecsAnswer } from "@longhaul/admin/api";
import type { ComponentChildren } from "preact";
import { useId, useMemo, useState } from "preact/hooks";
import { Confirm, Dialog, DialogButtons } from "../../components/dialog.tsx";
import { Icon } from "../../components/icon.tsx";
import { Card, Page } from "../../components/page.tsx";
import { Empty, Faults, Loaded } from "../../components/status.tsx";
import { faultsOf } from "../../forms/faults.ts";
import { isJson, isRecord, isSchema, type Json, type Schema, setAt } from "../../forms/schema.ts";
import { SchemaField } from "../../forms/schema-form.tsx";
import { useMutation, useQuery } from "../../gateway/gateway.tsx";
import { common } from "../../strings/common.ts";
import { strings } from "../../strings/upstreams.ts";

const { editor: texts } = strings;

/** A named section of the settings: an upstream or a profile. */
interface Section {
  readonly name: string;
  readonly settings: Readonly<Record<string, unknown>>;
  /** The names of the secrets that are set. */
  readonly secrets: readonly string[];
  readonly canRemove: boolean;
}

type Kind = "upstreams" | "profiles";

const REFRESH_ON = ["settings"];

interface SectionsPageProps<T, S extends Section> {
  readonly kind: Kind;
  readonly sectionsIn: (answer: T) => readonly S[];
  readonly card: (section: S, onEdit: () => void) => ComponentChildren;
  /** Shown below the cards. */
  readonly children?: ComponentChildren;
}

export function SectionsPage<T, S extends Section>({ kind, sectionsIn, card, children }: SectionsPageProps<T, S>) {
  const { title, lead, add, empty, emptyHelp } = strings[kind];
  const query = useQuery<T>(`/${kind}`, REFRESH_ON);
  const specs = useQuery<SettingSpecsAnswer>("/settings/specs");
  const [edited, setEdited] = useState<S | "new">();
  return (
    <Page
      title={title}
      lead={lead}
      actions={
        <button type="button" class="main" onClick={() => setEdited("new")}>
          <Icon name="plus" />
          {add}
        </button>
      }
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
  /** Absent for a new section. */
  readonly shown?: Section;
  readonly onClose: () => void;
  readonly onChanged: () => void;
}

function SectionEditor({ kind, specs, shown, onClose, onChanged }: SectionEditorProps) {
  const { run, isBusy, faults: rejected } = useMutation();
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
    finish(await run((api) => api.send("PATCH", path, changesOf(before, value)), texts.saved(name)));
  const remove = async () => finish(await run((api) => api.send("DELETE", path), texts.removed(name)));
  if (isRemoving) {
    return (
      <Confirm
        title={texts.removeTitle(name)}
        action={strings[kind].removeAction}
        onConfirm={() => void remove()}
        onClose={() => setRemoving(false)}
      >
        {texts.removeHelp}
      </Confirm>
    );
  }
  return (
    <Dialog title={shown?.name ?? strings[kind].new} onClose={onClose}>
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
        <p class="soft small">{texts.secrets(shown.secrets.join(", "))}</p>
      )}
      <Faults faults={rejected} />
      <DialogButtons
        onClose={onClose}
        before={
          shown?.canRemove === true ? (
            <button type="button" class="danger" onClick={() => setRemoving(true)}>
              {common.remove}
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
          {common.save}
        </button>
      </DialogButtons>
    </Dialog>
  );
}

function NameField({ name, onName }: { readonly name: string; readonly onName: (name: string) => void }) {
  const id = useId();
  return (
    <div class="field">
      <label for={id}>{common.name}</label>
      <input
        id={id}
        required
        pattern="[\w.\-]+"
        autocomplete="off"
        value={name}
        onInput={({ currentTarget }) => onName(currentTarget.value)}
      />
      <p class="help">{texts.nameHelp}</p>
    </div>
  );
}

export function sectionSchema({ settings }: Pick<SettingSpecsAnswer, "settings">, kind: string): Schema {
  const prefix = `${kind}.*.`;
  const own = settings.filter(({ path }) => path.startsWith(prefix));
  return own.reduce<Schema>(
    (outer, { path, help, schema }) =>
      withProperty(outer, path.slice(prefix.length).split("."), {
        ...(isSchema(schema) ? schema : {}),
        description: help,
      }),
    { type: "object", properties: {} },
  );
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

import type { SettingSpecsAnswer } from "@longhaul/admin/api";
import type { ComponentChildren } from "preact";
import { useId, useMemo, useState } from "preact/hooks";
import { Confirm, Dialog, DialogButtons } from "../../components/dialog.tsx";
import { Icon } from "../../components/icon.tsx";
import { Page } from "../../components/page.tsx";
import { Faults, Loaded } from "../../components/status.tsx";
import { faultsOf } from "../../forms/faults.ts";
import { isJson, isRecord, isSchema, type Json, type Schema, setAt } from "../../forms/schema.ts";
import { SchemaField } from "../../forms/schema-form.tsx";
import { useMutation, useQuery } from "../../gateway/gateway.tsx";

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
  const { run: make, isBusy, faults: refused } = useMutation();
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

/** The schema of one upstream or profile, put together from those of its settings. */
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

/** What has to be said to the gateway to get from one value to the other: `null` takes back what was set. */
export function changesOf(before: Json | undefined, after: Json | undefined): Readonly<Record<string, Json>> {
  const [old, next] = [isRecord(before) ? before : {}, isRecord(after) ? after : {}];
  const names = new Set([...Object.keys(old), ...Object.keys(next)]);
  const changed = [...names].filter((name) => JSON.stringify(old[name]) !== JSON.stringify(next[name]));
  return Object.fromEntries(changed.map((name) => [name, next[name] ?? null]));
}

const NEWS = ["settings"];

interface SectionsPageProps<T, S extends Section> {
  readonly kind: "upstreams" | "profiles";
  readonly title: string;
  readonly lead: string;
  /** What one of them is called. */
  readonly what: string;
  readonly sectionsIn: (answer: T) => readonly S[];
  /** What stands where there is none. */
  readonly empty: ComponentChildren;
  readonly card: (section: S, onChange: () => void) => ComponentChildren;
  /** What else the page shows. */
  readonly children?: ComponentChildren;
}

/** A page of upstreams or profiles: each on a card, and all can be made, changed and removed. */
export function SectionsPage<T, S extends Section>(props: SectionsPageProps<T, S>) {
  const { kind, title, lead, what, sectionsIn, empty, card, children } = props;
  const answer = useQuery<T>(`/${kind}`, NEWS);
  const specs = useQuery<SettingSpecsAnswer>("/settings/specs");
  const [edited, setEdited] = useState<S | "new">();
  return (
    <Page
      title={title}
      lead={lead}
      actions={
        <button type="button" class="main" onClick={() => setEdited("new")}>
          <Icon name="plus" />
          New {what}
        </button>
      }
    >
      <Loaded query={answer}>
        {(value) => {
          const sections = sectionsIn(value);
          return sections.length === 0 ? (
            empty
          ) : (
            <div class="grid two">{sections.map((section) => card(section, () => setEdited(section)))}</div>
          );
        }}
      </Loaded>
      {children}
      {edited === undefined || specs.value === undefined ? null : (
        <SectionEditor
          kind={kind}
          what={what}
          specs={specs.value}
          {...(edited === "new" ? {} : { shown: edited })}
          onClose={() => setEdited(undefined)}
          onChanged={answer.reload}
        />
      )}
    </Page>
  );
}

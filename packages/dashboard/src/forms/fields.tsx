import type { ComponentChildren } from "preact";
import { useId, useState } from "preact/hooks";
import { HelpText } from "../components/page.tsx";
import { toLabel } from "../strings/format.ts";
import { strings } from "../strings/settings.ts";
import type { FieldFault } from "./faults.ts";
import { isList, type Json, jsonIn, type Path, type Schema, wordsIn, writeJson } from "./schema.ts";

const { form: texts } = strings;

export function SwitchField(field: FieldProps) {
  const { schema, name, value, path, onChange } = field;
  const id = useId();
  const isOn = value === undefined ? schema.default === true : value === true;
  return (
    <div class="field">
      <div class="check">
        <input
          {...inputProps(id, field)}
          type="checkbox"
          checked={isOn}
          onChange={({ currentTarget }) => onChange(path, currentTarget.checked)}
        />
        <label for={id}>{toLabel(name)}</label>
      </div>
      <Help id={id} field={field} />
    </div>
  );
}

export function ChoiceField(field: FieldProps) {
  const { schema, value, path, onChange } = field;
  const id = useId();
  const options = (schema.enum ?? []).filter((option) => typeof option === "string");
  return (
    <Labelled id={id} field={field}>
      <select
        {...inputProps(id, field)}
        value={String(value ?? schema.default ?? "")}
        onChange={({ currentTarget }) => onChange(path, currentTarget.value === "" ? undefined : currentTarget.value)}
      >
        {schema.default === undefined ? <option value="">{texts.notSet}</option> : null}
        {options.map((option) => (
          <option key={option} value={option}>
            {toLabel(option)}
          </option>
        ))}
      </select>
    </Labelled>
  );
}

/** The maximum in the schema of an integer without a limit. */
const NO_LIMIT = Number.MAX_SAFE_INTEGER;

/** A number field. If it is empty, the default applies. */
export function NumberField(field: FieldProps) {
  const { schema, value, path, onChange } = field;
  const id = useId();
  const read = (text: string) => (text === "" || Number.isNaN(Number(text)) ? undefined : Number(text));
  return (
    <Labelled id={id} field={field} look="narrow">
      <input
        {...inputProps(id, field)}
        type="number"
        step={schema.type === "integer" ? 1 : "any"}
        {...(schema.minimum === undefined ? {} : { min: schema.minimum })}
        {...(schema.maximum === undefined || schema.maximum >= NO_LIMIT ? {} : { max: schema.maximum })}
        value={typeof value === "number" ? value : ""}
        placeholder={schema.default === undefined ? "" : String(schema.default)}
        onInput={({ currentTarget }) => onChange(path, read(currentTarget.value))}
      />
    </Labelled>
  );
}

/** Names of fields that get several lines. */
const LONG_TEXTS = /prompt|instructions/i;

export function TextField(field: FieldProps) {
  const { schema, name, value, path, onChange } = field;
  const id = useId();
  const shared = {
    ...inputProps(id, field),
    value: typeof value === "string" ? value : "",
    placeholder: typeof schema.default === "string" ? schema.default : "",
  };
  const change = (text: string) => onChange(path, text === "" && schema.default === undefined ? undefined : text);
  return (
    <Labelled id={id} field={field}>
      {LONG_TEXTS.test(name) ? (
        <textarea {...shared} rows={6} onInput={({ currentTarget }) => change(currentTarget.value)} />
      ) : (
        <input
          {...shared}
          {...(schema.writeOnly === true ? { type: "password" } : { type: "text" })}
          autocomplete="off"
          {...(schema.examples === undefined ? {} : { list: `${id}-examples` })}
          onInput={({ currentTarget }) => change(currentTarget.value)}
        />
      )}
      <Examples id={id} schema={schema} />
    </Labelled>
  );
}

function Examples({ id, schema: { examples = [] } }: { readonly id: string; readonly schema: Schema }) {
  if (examples.length === 0) return null;
  return (
    <datalist id={`${id}-examples`}>
      {examples.map((example) => (
        <option key={String(example)} value={String(example)} />
      ))}
    </datalist>
  );
}

export function ChoicesField(field: FieldProps) {
  const { schema, name, value, path, onChange } = field;
  const id = useId();
  const options = (schema.items?.enum ?? []).filter((option) => typeof option === "string");
  const chosen = isList(value) ? value : isList(schema.default) ? schema.default : [];
  const toggle = (option: string, isOn: boolean) => {
    const next = options.filter((one) => (one === option ? isOn : chosen.includes(one)));
    onChange(path, next.length === 0 ? undefined : next);
  };
  return (
    <fieldset class="field">
      <legend>{toLabel(name)}</legend>
      <div class="row">
        {options.map((option) => (
          <label key={option} class="check">
            <input
              type="checkbox"
              checked={chosen.includes(option)}
              onChange={({ currentTarget }) => toggle(option, currentTarget.checked)}
            />
            {toLabel(option)}
          </label>
        ))}
      </div>
      <Help id={id} field={field} />
    </fieldset>
  );
}

export function WordsField(field: FieldProps) {
  const { value, path, onChange } = field;
  const id = useId();
  const { text, type } = useDraft(value, (words) => (isList(words) ? words.join(", ") : ""));
  const read = (typed: string) => {
    const words = wordsIn(typed);
    type(typed, words);
    onChange(path, words);
  };
  return (
    <Labelled id={id} field={field}>
      <input
        {...inputProps(id, field)}
        type="text"
        value={text}
        placeholder={texts.commaSeparated}
        onInput={({ currentTarget }) => read(currentTarget.value)}
      />
    </Labelled>
  );
}

/** A text area for values that no other field can edit. Invalid JSON is marked and does not change the value. */
export function JsonField(field: FieldProps) {
  const { schema, name, value, path, onChange } = field;
  const id = useId();
  const { text, type } = useDraft(value, (json) => writeJson(schema, json));
  const isWrong = text.trim() !== "" && jsonIn(schema, text) === undefined;
  const read = (typed: string) => {
    const next = jsonIn(schema, typed);
    const isValid = next !== undefined || typed.trim() === "";
    type(typed, isValid ? next : value);
    if (isValid) onChange(path, next);
  };
  return (
    <Labelled
      id={id}
      field={name === "" ? { ...field, name: texts.json } : field}
      {...(isWrong ? { fault: texts.invalidJson } : {})}
    >
      <textarea
        {...inputProps(id, field)}
        rows={5}
        value={text}
        {...(isWrong ? { "aria-invalid": true } : {})}
        onInput={({ currentTarget }) => read(currentTarget.value)}
      />
    </Labelled>
  );
}

/** Keeps the typed text as long as the value is the one it was typed for. Otherwise, the text is the formatted value. */
function useDraft(value: Json | undefined, format: (value: Json | undefined) => string) {
  const [typed, setTyped] = useState<{ readonly text: string; readonly of: Json | undefined }>();
  const isCurrent = typed !== undefined && JSON.stringify(typed.of) === JSON.stringify(value);
  return {
    text: isCurrent ? typed.text : format(value),
    type: (text: string, of: Json | undefined) => setTyped({ text, of }),
  };
}

export interface FieldProps {
  readonly schema: Schema;
  /** Empty for the outermost group. */
  readonly name: string;
  readonly value: Json | undefined;
  readonly path: Path;
  readonly faults: readonly FieldFault[];
  readonly onChange: (path: Path, value: Json | undefined) => void;
}

interface LabelledProps {
  readonly id: string;
  readonly field: FieldProps;
  /** Overrides the fault of the field. */
  readonly fault?: string;
  readonly look?: "narrow";
  readonly children: ComponentChildren;
}

function Labelled({ id, field, fault, look, children }: LabelledProps) {
  return (
    <div class={`field ${look ?? ""}`}>
      <label for={id}>{toLabel(field.name)}</label>
      {children}
      <Help id={id} field={field} fault={fault} />
    </div>
  );
}

interface HelpProps extends Pick<LabelledProps, "id" | "field"> {
  readonly fault?: string | undefined;
}

function Help({ id, field: { schema, path, faults }, fault = faultAt(faults, path) }: HelpProps) {
  const { description = "" } = schema;
  return (
    <div id={helpOf(id)}>
      {fault === undefined ? null : <p class="fault">{fault}</p>}
      {description === "" ? null : (
        <p class="help">
          <HelpText of={description} />
        </p>
      )}
    </div>
  );
}

/** Connects an input to its help text and marks it as invalid. */
function inputProps(id: string, { faults, path }: Pick<FieldProps, "faults" | "path">) {
  return { id, "aria-describedby": helpOf(id), "aria-invalid": faultAt(faults, path) !== undefined };
}

function helpOf(id: string): string {
  return `${id}-help`;
}

function faultAt(faults: readonly FieldFault[], path: Path): string | undefined {
  return faults.find((fault) => fault.path.join("/") === path.join("/"))?.message;
}

import { useId } from "preact/hooks";
import type { FieldFault } from "./faults.ts";
import { isList, type Json, type Path, type Schema } from "./schema.ts";
import { inWords } from "./words.ts";

/** One field of a form, or several of them as a group. */
export interface FieldProps {
  readonly schema: Schema;
  /** What it is called; nothing for the outermost group. */
  readonly name: string;
  readonly value: Json | undefined;
  readonly path: Path;
  readonly faults: readonly FieldFault[];
  readonly onChange: (path: Path, value: Json | undefined) => void;
}

/** On or off. */
export function SwitchField({ schema, name, value, path, faults, onChange }: FieldProps) {
  const id = useId();
  const isOn = value === undefined ? schema.default === true : value === true;
  return (
    <div class="field">
      <div class="check">
        <input
          id={id}
          type="checkbox"
          checked={isOn}
          aria-describedby={`${id}-help`}
          onChange={({ currentTarget }) => onChange(path, currentTarget.checked)}
        />
        <label for={id}>{inWords(name)}</label>
      </div>
      <Help id={id} schema={schema} path={path} faults={faults} />
    </div>
  );
}

/** One of several. */
export function ChoiceField({ schema, name, value, path, faults, onChange }: FieldProps) {
  const id = useId();
  const options = (schema.enum ?? []).filter((option) => typeof option === "string");
  return (
    <div class="field">
      <label for={id}>{inWords(name)}</label>
      <select
        id={id}
        value={String(value ?? schema.default ?? "")}
        aria-describedby={`${id}-help`}
        onChange={({ currentTarget }) => onChange(path, currentTarget.value === "" ? undefined : currentTarget.value)}
      >
        {schema.default === undefined ? <option value="">Not set</option> : null}
        {options.map((option) => (
          <option key={option} value={option}>
            {inWords(option)}
          </option>
        ))}
      </select>
      <Help id={id} schema={schema} path={path} faults={faults} />
    </div>
  );
}

/** A number; empty is as it is by default. */
export function NumberField({ schema, name, value, path, faults, onChange }: FieldProps) {
  const id = useId();
  const read = (text: string) => (text === "" || Number.isNaN(Number(text)) ? undefined : Number(text));
  return (
    <div class="field narrow">
      <label for={id}>{inWords(name)}</label>
      <input
        id={id}
        type="number"
        step={schema.type === "integer" ? 1 : "any"}
        {...(schema.minimum === undefined ? {} : { min: schema.minimum })}
        {...(schema.maximum === undefined || schema.maximum > 1e15 ? {} : { max: schema.maximum })}
        value={typeof value === "number" ? value : ""}
        placeholder={schema.default === undefined ? "" : String(schema.default)}
        aria-describedby={`${id}-help`}
        aria-invalid={faultAt(faults, path) !== undefined}
        onInput={({ currentTarget }) => onChange(path, read(currentTarget.value))}
      />
      <Help id={id} schema={schema} path={path} faults={faults} />
    </div>
  );
}

/** Instructions to a model need room. */
const LONG_TEXTS = /prompt|instructions/i;

/** Words; instructions to a model get room for several lines. */
export function TextField({ schema, name, value, path, faults, onChange }: FieldProps) {
  const id = useId();
  const shared = {
    id,
    value: typeof value === "string" ? value : "",
    placeholder: typeof schema.default === "string" ? schema.default : "",
    "aria-describedby": `${id}-help`,
    "aria-invalid": faultAt(faults, path) !== undefined,
  };
  const change = (text: string) => onChange(path, text === "" && schema.default === undefined ? undefined : text);
  return (
    <div class="field">
      <label for={id}>{inWords(name)}</label>
      {LONG_TEXTS.test(name) ? (
        <textarea {...shared} rows={6} onInput={({ currentTarget }) => change(currentTarget.value)} />
      ) : (
        <input
          {...shared}
          type="text"
          {...(schema.examples === undefined ? {} : { list: `${id}-examples` })}
          onInput={({ currentTarget }) => change(currentTarget.value)}
        />
      )}
      <Examples id={id} schema={schema} />
      <Help id={id} schema={schema} path={path} faults={faults} />
    </div>
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

/** Any of several. */
export function ChoicesField({ schema, name, value, path, faults, onChange }: FieldProps) {
  const id = useId();
  const options = (schema.items?.enum ?? []).filter((option) => typeof option === "string");
  const chosen = isList(value) ? value : isList(schema.default) ? schema.default : [];
  const toggle = (option: string, isOn: boolean) => {
    const next = options.filter((one) => (one === option ? isOn : chosen.includes(one)));
    onChange(path, next.length === 0 ? undefined : next);
  };
  return (
    <fieldset class="field">
      <legend>{inWords(name)}</legend>
      <div class="row">
        {options.map((option) => (
          <label key={option} class="check">
            <input
              type="checkbox"
              checked={chosen.includes(option)}
              onChange={({ currentTarget }) => toggle(option, currentTarget.checked)}
            />
            {inWords(option)}
          </label>
        ))}
      </div>
      <Help id={id} schema={schema} path={path} faults={faults} />
    </fieldset>
  );
}

/** Words with commas between. */
export function WordsField({ schema, name, value, path, faults, onChange }: FieldProps) {
  const id = useId();
  const read = (text: string) => {
    const words = text
      .split(",")
      .map((word) => word.trim())
      .filter((word) => word !== "");
    onChange(path, words.length === 0 ? undefined : words);
  };
  return (
    <div class="field">
      <label for={id}>{inWords(name)}</label>
      <input
        id={id}
        type="text"
        defaultValue={isList(value) ? value.join(", ") : ""}
        placeholder="separated by commas"
        aria-describedby={`${id}-help`}
        aria-invalid={faultAt(faults, path) !== undefined}
        onChange={({ currentTarget }) => read(currentTarget.value)}
      />
      <Help id={id} schema={schema} path={path} faults={faults} />
    </div>
  );
}

/** For what no other field can show. What is no JSON yet is not taken over. */
export function JsonField({ schema, name, value, path, faults, onChange }: FieldProps) {
  const id = useId();
  const read = (text: string) => {
    try {
      onChange(path, text.trim() === "" ? undefined : JSON.parse(text));
    } catch {
      // The field keeps what is typed, and the value stays as it was.
    }
  };
  return (
    <div class="field">
      <label for={id}>{name === "" ? "JSON" : inWords(name)}</label>
      <textarea
        id={id}
        rows={5}
        defaultValue={value === undefined ? "" : JSON.stringify(value, null, 2)}
        aria-describedby={`${id}-help`}
        onChange={({ currentTarget }) => read(currentTarget.value)}
      />
      <Help id={id} schema={schema} path={path} faults={faults} />
    </div>
  );
}

function Help({ id, schema, path, faults }: Pick<FieldProps, "schema" | "path" | "faults"> & { readonly id: string }) {
  const fault = faultAt(faults, path);
  return (
    <div id={`${id}-help`}>
      {fault === undefined ? null : <p class="fault">{fault.message}</p>}
      {schema.description === undefined || schema.description === "" ? null : <p class="help">{schema.description}</p>}
    </div>
  );
}

function faultAt(faults: readonly FieldFault[], path: Path): FieldFault | undefined {
  return faults.find((fault) => fault.path.join("/") === path.join("/"));
}

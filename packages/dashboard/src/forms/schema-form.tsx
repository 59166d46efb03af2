import type { ComponentType } from "preact";
import { Button } from "../components/button.tsx";
import { HelpText } from "../components/page.tsx";
import { common } from "../strings/common.ts";
import { toLabel } from "../strings/format.ts";
import { strings } from "../strings/settings.ts";
import {
  ChoiceField,
  ChoicesField,
  type FieldProps,
  JsonField,
  NumberField,
  SwitchField,
  TextField,
  WordsField,
} from "./fields.tsx";
import {
  defaultOf,
  isList,
  isRecord,
  type Json,
  type Kind,
  kindOf,
  otherVariant,
  type Schema,
  setAt,
  stage,
  variantOf,
  variantsOf,
} from "./schema.ts";

const FIELDS: Readonly<Record<Kind, ComponentType<FieldProps>>> = {
  switch: SwitchField,
  choice: ChoiceField,
  number: NumberField,
  text: TextField,
  choices: ChoicesField,
  words: WordsField,
  group: GroupField,
  variants: VariantsField,
  list: ListField,
  json: JsonField,
};

function SchemaField(field: FieldProps) {
  const Field = FIELDS[kindOf(field.schema)];
  return <Field {...field} />;
}

interface ValueFormProps extends Pick<FieldProps, "schema" | "value" | "faults"> {
  readonly name?: string | undefined;
  readonly onChange: (value: Json | undefined) => void;
}

/** A form for a whole value. */
export function ValueForm({ name = "", onChange, ...field }: ValueFormProps) {
  return (
    <SchemaField {...field} name={name} path={[]} onChange={(at, next) => onChange(setAt(field.value, at, next))} />
  );
}

function GroupField(field: FieldProps) {
  const { schema, name } = field;
  const fields = Object.entries(schema.properties ?? {}).map(([inner, innerSchema]) => (
    <PropertyField key={inner} group={field} name={inner} schema={innerSchema} />
  ));
  if (name === "") return <div class="form">{fields}</div>;
  return (
    <fieldset class="form" data-name={name}>
      <legend>{toLabel(name)}</legend>
      <GroupHelp schema={schema} />
      {fields}
    </fieldset>
  );
}

interface PropertyFieldProps extends Pick<FieldProps, "name" | "schema"> {
  readonly group: FieldProps;
}

/** The field for one property of a group. */
export function PropertyField({ group, name, schema }: PropertyFieldProps) {
  const value = isRecord(group.value) ? group.value[name] : undefined;
  return <SchemaField {...group} schema={schema} name={name} value={value} path={[...group.path, name]} />;
}

function GroupHelp({ schema: { description } }: { readonly schema: Schema }) {
  if (description === undefined) return null;
  return (
    <p class="help soft small">
      <HelpText of={description} />
    </p>
  );
}

function VariantsField(field: FieldProps) {
  const variant = variantOf(field.schema, field.value);
  if (variant === undefined) return null;
  const { [variant.name]: _tag, ...properties } = variant.schema.properties ?? {};
  return (
    <fieldset class="form variant">
      <legend class="visually-hidden">{toLabel(field.name)}</legend>
      <VariantChoice {...field} />
      <GroupField {...field} schema={{ type: "object", properties }} name="" />
    </fieldset>
  );
}

/** Chooses the variant of a tagged union. */
export function VariantChoice({ schema, name, value, path, onChange }: FieldProps) {
  const variant = variantOf(schema, value);
  if (variant === undefined) return null;
  const tag = variant.schema.properties?.[variant.name];
  const description = [schema.description, tag?.description].filter((text) => text !== undefined).join(" ");
  const values = variantsOf(schema).map((one) => one.value);
  return (
    <ChoiceField
      schema={{ type: "string", default: variant.value, enum: values, description }}
      name={name === "" ? variant.name : name}
      value={variant.value}
      path={path}
      faults={[]}
      onChange={(_, chosen) => onChange(path, otherVariant(schema, value, chosen))}
    />
  );
}

function ListField(field: FieldProps) {
  const { schema, name, value, path, onChange } = field;
  const items = isList(value) ? value : isList(schema.default) ? schema.default : [];
  const itemSchema = schema.items ?? {};
  return (
    <fieldset class="form" data-name={name}>
      <legend>{toLabel(name)}</legend>
      <GroupHelp schema={schema} />
      {items.map((item, index) => (
        <fieldset class="form" key={index}>
          <legend>
            {index + 1}{" "}
            <Button label={common.remove} class="quiet" onClick={() => onChange(path, items.toSpliced(index, 1))} />
          </legend>
          <SchemaField {...field} schema={itemSchema} name="" value={item} path={[...path, index]} />
        </fieldset>
      ))}
      <div>
        <Button label={common.add} onClick={() => onChange(path, [...items, defaultOf(itemSchema) ?? null])} />
      </div>
    </fieldset>
  );
}

interface StagedFormProps extends Pick<FieldProps, "schema" | "value" | "faults" | "onChange"> {
  readonly first: readonly string[];
}

/** A form that shows the most important fields, and the others on demand or if one of them has a fault. */
export function StagedForm({ schema, first, value, faults, onChange }: StagedFormProps) {
  const { shown, hidden } = stage(schema, first);
  const isWrong = faults.some(({ path: [name = ""] }) => hidden.properties?.[name] !== undefined);
  const shared = { name: "", value, path: [], faults, onChange };
  const count = Object.keys(hidden.properties ?? {}).length;
  return (
    <div class="form">
      <GroupField {...shared} schema={shown} />
      {count === 0 ? null : (
        <details class="more" open={isWrong}>
          <summary>{strings.form.more(count)}</summary>
          <GroupField {...shared} schema={hidden} />
        </details>
      )}
    </div>
  );
}

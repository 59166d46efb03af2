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
import { defaultOf, isList, isRecord, kindOf, otherVariant, stage, variantOf, variantsOf } from "./schema.ts";

export function SchemaField(props: FieldProps) {
  switch (kindOf(props.schema)) {
    case "switch":
      return <SwitchField {...props} />;
    case "choice":
      return <ChoiceField {...props} />;
    case "number":
      return <NumberField {...props} />;
    case "text":
      return <TextField {...props} />;
    case "choices":
      return <ChoicesField {...props} />;
    case "words":
      return <WordsField {...props} />;
    case "group":
      return <GroupField {...props} />;
    case "variants":
      return <VariantsField {...props} />;
    case "list":
      return <ListField {...props} />;
    case "json":
      return <JsonField {...props} />;
  }
}

function GroupField({ schema, name, value, path, faults, onChange }: FieldProps) {
  const fields = Object.entries(schema.properties ?? {}).map(([inner, innerSchema]) => (
    <SchemaField
      key={inner}
      schema={innerSchema}
      name={inner}
      value={isRecord(value) ? value[inner] : undefined}
      path={[...path, inner]}
      faults={faults}
      onChange={onChange}
    />
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

function GroupHelp({ schema: { description } }: Pick<FieldProps, "schema">) {
  if (description === undefined) return null;
  return (
    <p class="help soft small">
      <HelpText of={description} />
    </p>
  );
}

function VariantsField({ schema, name, value, path, faults, onChange }: FieldProps) {
  const variant = variantOf(schema, value);
  if (variant === undefined) return null;
  const { [variant.name]: tag, ...rest } = variant.schema.properties ?? {};
  const choice = { type: "string", default: variant.value, enum: variantsOf(schema).map(({ value: one }) => one) };
  const help = [schema.description, tag?.description].filter((text) => text !== undefined).join(" ");
  return (
    <fieldset class="form variant">
      <legend class="visually-hidden">{toLabel(name)}</legend>
      <ChoiceField
        schema={{ ...choice, description: help }}
        name={name === "" ? variant.name : name}
        value={variant.value}
        path={path}
        faults={[]}
        onChange={(_, chosen) => onChange(path, otherVariant(schema, value, chosen))}
      />
      <GroupField
        schema={{ type: "object", properties: rest }}
        name=""
        value={value}
        path={path}
        faults={faults}
        onChange={onChange}
      />
    </fieldset>
  );
}

function ListField({ schema, name, value, path, faults, onChange }: FieldProps) {
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
            <button type="button" class="quiet" onClick={() => onChange(path, items.toSpliced(index, 1))}>
              {common.remove}
            </button>
          </legend>
          <SchemaField
            schema={itemSchema}
            name=""
            value={item}
            path={[...path, index]}
            faults={faults}
            onChange={onChange}
          />
        </fieldset>
      ))}
      <div>
        <button type="button" onClick={() => onChange(path, [...items, defaultOf(itemSchema) ?? null])}>
          {common.add}
        </button>
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

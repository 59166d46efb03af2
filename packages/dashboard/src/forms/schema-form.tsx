import { toLabel } from "../strings/format.ts";
import {
  ChoiceField,
  ChoicesField,
  type FieldProps,
  HelpText,
  JsonField,
  NumberField,
  SwitchField,
  TextField,
  WordsField,
} from "./fields.tsx";
import { defaultOf, isList, isRecord, kindOf, otherVariant, stage, variantOf, variantsOf } from "./schema.ts";

/** A form for a value of a schema: a field for each thing that can be set, with its help text and what is wrong with it. */
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
      {schema.description === undefined ? null : (
        <p class="help soft small">
          <HelpText of={schema.description} />
        </p>
      )}
      {fields}
    </fieldset>
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
      <legend class="hidden-visually">{toLabel(name)}</legend>
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

/** Things of one kind, each of which can be taken away. */
function ListField({ schema, name, value, path, faults, onChange }: FieldProps) {
  const items = isList(value) ? value : isList(schema.default) ? schema.default : [];
  const itemSchema = schema.items ?? {};
  return (
    <fieldset class="form" data-name={name}>
      <legend>{toLabel(name)}</legend>
      {schema.description === undefined ? null : <p class="help soft small">{schema.description}</p>}
      {items.map((item, index) => (
        <fieldset class="form" key={index}>
          <legend>
            {index + 1}{" "}
            <button type="button" class="quiet" onClick={() => onChange(path, items.toSpliced(index, 1))}>
              Remove
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
          Add
        </button>
      </div>
    </fieldset>
  );
}

interface StagedFormProps extends Pick<FieldProps, "schema" | "value" | "faults" | "onChange"> {
  /** The fields that come first, in this order. */
  readonly first: readonly string[];
}

/** A form that shows at first what most people look for, and the rest on demand; the rest is open where something is wrong in it. */
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
          <summary>More settings ({count})</summary>
          <GroupField {...shared} schema={hidden} />
        </details>
      )}
    </div>
  );
}

import { strings } from "../strings/settings.ts";
import { isList, isRecord, type Json, type JsonRecord, type Path, type Schema, variantOf } from "./schema.ts";

const { faults: texts } = strings;

export interface FieldFault {
  readonly path: Path;
  readonly message: string;
}

/** Validates a value against a schema. Absent values are valid unless they are required: the gateway fills in defaults. */
export function faultsOf(schema: Schema, value: Json | undefined, path: Path = []): readonly FieldFault[] {
  if (value === undefined) return [];
  const variant = variantOf(schema, value);
  if (variant !== undefined) return faultsOf(variant.schema, value, path);
  const allowed = schema.const === undefined ? schema.enum : [schema.const];
  if (allowed === undefined) return typeFaults(schema, value, path);
  if (allowed.includes(value)) return [];
  const list = allowed.join(", ");
  return [{ path, message: allowed.length === 1 ? texts.exactly(list) : texts.oneOf(list) }];
}

function typeFaults(schema: Schema, value: Json, path: Path): readonly FieldFault[] {
  const wrong = (message: string) => [{ path, message }];
  switch (schema.type) {
    case "boolean":
      return typeof value === "boolean" ? [] : wrong(texts.boolean);
    case "integer":
    case "number":
      return typeof value === "number" ? numberFaults(schema, value).flatMap(wrong) : wrong(texts.number);
    case "string":
      return typeof value === "string" ? textFaults(schema, value).flatMap(wrong) : wrong(texts.text);
    case "array":
      return isList(value) ? listFaults(schema, value, path) : wrong(texts.list);
    case "object":
      return isRecord(value) ? groupFaults(schema, value, path) : wrong(texts.group);
    default:
      return [];
  }
}

function numberFaults({ type, minimum, maximum, exclusiveMinimum }: Schema, value: number): string[] {
  return [
    ...(type === "integer" && !Number.isInteger(value) ? [texts.integer] : []),
    ...(minimum !== undefined && value < minimum ? [texts.atLeast(minimum)] : []),
    ...(exclusiveMinimum !== undefined && value <= exclusiveMinimum ? [texts.over(exclusiveMinimum)] : []),
    ...(maximum !== undefined && value > maximum ? [texts.atMost(maximum)] : []),
  ];
}

function textFaults({ minLength = 0, pattern }: Schema, value: string): string[] {
  if (value.length < minLength) return [texts.blank];
  return pattern !== undefined && !new RegExp(pattern).test(value) ? [texts.pattern(pattern)] : [];
}

function listFaults({ items = {}, minItems = 0 }: Schema, value: readonly Json[], path: Path): readonly FieldFault[] {
  const few = value.length < minItems ? [{ path, message: texts.tooFew(minItems) }] : [];
  return [...few, ...value.flatMap((item, index) => faultsOf(items, item, [...path, index]))];
}

function groupFaults({ properties = {}, required = [], additionalProperties }: Schema, value: JsonRecord, path: Path) {
  const missing = required.filter((name) => value[name] === undefined);
  const unknown = Object.keys(value).filter((name) => properties[name] === undefined);
  const faultAt = (name: string, message: string) => ({ path: [...path, name], message });
  return [
    ...missing.map((name) => faultAt(name, texts.required)),
    ...(additionalProperties === false ? unknown : []).map((name) => faultAt(name, texts.unknown)),
    ...Object.entries(properties).flatMap(([name, inner]) => faultsOf(inner, value[name], [...path, name])),
  ];
}

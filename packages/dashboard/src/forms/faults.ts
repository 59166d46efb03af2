import { isList, isRecord, type Json, type JsonRecord, type Path, type Schema, variantOf } from "./schema.ts";

/** What is wrong at one place of a value. */
export interface FieldFault {
  readonly path: Path;
  readonly message: string;
}

/** What a schema finds wrong with a value. What is absent is filled in by the gateway, unless it is required. */
export function faultsOf(schema: Schema, value: Json | undefined, path: Path = []): readonly FieldFault[] {
  if (value === undefined) return [];
  const variant = variantOf(schema, value);
  if (variant !== undefined) return faultsOf(variant.schema, value, path);
  const allowed = schema.const === undefined ? schema.enum : [schema.const];
  if (allowed === undefined) return typeFaults(schema, value, path);
  if (allowed.includes(value)) return [];
  const message = allowed.length === 1 ? `must be ${allowed[0]}` : `must be one of ${allowed.join(", ")}`;
  return [{ path, message }];
}

function typeFaults(schema: Schema, value: Json, path: Path): readonly FieldFault[] {
  const wrong = (message: string) => [{ path, message }];
  switch (schema.type) {
    case "boolean":
      return typeof value === "boolean" ? [] : wrong("must be on or off");
    case "integer":
    case "number":
      return typeof value === "number" ? numberFaults(schema, value).flatMap(wrong) : wrong("must be a number");
    case "string":
      return typeof value === "string" ? textFaults(schema, value).flatMap(wrong) : wrong("must be a text");
    case "array":
      return isList(value) ? listFaults(schema, value, path) : wrong("must be a list");
    case "object":
      return isRecord(value) ? groupFaults(schema, value, path) : wrong("must have fields");
    default:
      return [];
  }
}

function numberFaults({ type, minimum, maximum, exclusiveMinimum }: Schema, value: number): string[] {
  return [
    ...(type === "integer" && !Number.isInteger(value) ? ["must be a whole number"] : []),
    ...(minimum !== undefined && value < minimum ? [`must be at least ${minimum}`] : []),
    ...(exclusiveMinimum !== undefined && value <= exclusiveMinimum ? [`must be over ${exclusiveMinimum}`] : []),
    ...(maximum !== undefined && value > maximum ? [`must be at most ${maximum}`] : []),
  ];
}

function textFaults({ minLength = 0, pattern }: Schema, value: string): string[] {
  if (value.length < minLength) return ["must not be empty"];
  return pattern !== undefined && !new RegExp(pattern).test(value) ? [`must look like ${pattern}`] : [];
}

function listFaults({ items = {}, minItems = 0 }: Schema, value: readonly Json[], path: Path): readonly FieldFault[] {
  const few = value.length < minItems ? [{ path, message: `needs at least ${minItems}` }] : [];
  return [...few, ...value.flatMap((item, index) => faultsOf(items, item, [...path, index]))];
}

function groupFaults(
  { properties = {}, required = [], additionalProperties }: Schema,
  value: JsonRecord,
  path: Path,
): readonly FieldFault[] {
  const missing = required.filter((name) => value[name] === undefined);
  const unknown = Object.keys(value).filter((name) => properties[name] === undefined);
  return [
    ...missing.map((name) => ({ path: [...path, name], message: "is needed" })),
    ...(additionalProperties === false ? unknown : []).map((name) => ({
      path: [...path, name],
      message: "is unknown",
    })),
    ...Object.entries(properties).flatMap(([name, inner]) => faultsOf(inner, value[name], [...path, name])),
  ];
}

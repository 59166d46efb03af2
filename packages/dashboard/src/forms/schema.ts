export type Json = string | number | boolean | null | readonly Json[] | { readonly [key: string]: Json };

export type JsonRecord = Readonly<Record<string, Json>>;

/** The subset of JSON Schema that describes the gateway's settings. */
export interface Schema {
  readonly type?: string;
  readonly description?: string;
  /** Whether its values are never shown. */
  readonly writeOnly?: boolean;
  readonly default?: Json;
  readonly const?: Json;
  readonly enum?: readonly Json[];
  readonly minimum?: number;
  readonly maximum?: number;
  readonly exclusiveMinimum?: number;
  readonly minLength?: number;
  readonly pattern?: string;
  readonly format?: string;
  readonly examples?: readonly Json[];
  readonly minItems?: number;
  readonly items?: Schema;
  readonly properties?: Readonly<Record<string, Schema>>;
  readonly additionalProperties?: boolean | Schema;
  readonly required?: readonly string[];
  readonly oneOf?: readonly Schema[];
  readonly anyOf?: readonly Schema[];
}

/** A path into a value: names and indexes. */
export type Path = readonly (string | number)[];

export type Kind =
  | "switch"
  | "choice"
  | "number"
  | "text"
  | "choices"
  | "words"
  | "list"
  | "group"
  | "variants"
  | "json";

/** Returns the kind of field for a schema; `json` if no other fits. */
export function kindOf(schema: Schema): Kind {
  if (variantsOf(schema).length > 0) return "variants";
  if (schema.enum !== undefined) return "choice";
  if (schema.type === "boolean") return "switch";
  if (schema.type === "number" || schema.type === "integer") return "number";
  if (schema.type === "string") return "text";
  if (schema.type === "object" && schema.properties !== undefined) return "group";
  if (schema.type !== "array" || schema.items === undefined) return "json";
  if (schema.items.enum !== undefined) return "choices";
  return schema.items.type === "string" ? "words" : "list";
}

interface Variant {
  readonly name: string;
  readonly value: string;
  readonly schema: Schema;
}

/** Returns the variants of a tagged union, or nothing for other schemas. */
export function variantsOf({ oneOf = [], anyOf = [] }: Schema): readonly Variant[] {
  const shapes = oneOf.length > 0 ? oneOf : anyOf;
  const variants = shapes.flatMap((schema) => {
    const found = Object.entries(schema.properties ?? {}).find(([, { const: value }]) => typeof value === "string");
    const value = found?.[1].const;
    return found === undefined || typeof value !== "string" ? [] : [{ name: found[0], value, schema }];
  });
  return variants.length === shapes.length ? variants : [];
}

export function variantOf(schema: Schema, value: Json | undefined): Variant | undefined {
  const variants = variantsOf(schema);
  return variants.find((variant) => isRecord(value) && value[variant.name] === variant.value) ?? variants[0];
}

/** Converts a value to another variant: keeps shared properties and fills in defaults for the others. */
export function otherVariant(schema: Schema, value: Json | undefined, chosen: Json | undefined): Json | undefined {
  const next = variantsOf(schema).find((variant) => variant.value === chosen);
  const filled = next === undefined ? undefined : defaultOf(next.schema);
  if (next === undefined || !isRecord(filled)) return value;
  const known = next.schema.properties ?? {};
  const kept = Object.entries(isRecord(value) ? value : {}).filter(([name]) => known[name] !== undefined);
  return { ...filled, ...Object.fromEntries(kept), [next.name]: next.value };
}

/** Splits the fields of a group into the named ones, in that order, and the others. */
export function stage(schema: Schema, first: readonly string[]): { readonly shown: Schema; readonly hidden: Schema } {
  const all = Object.entries(schema.properties ?? {});
  const shown = first.flatMap((name) => all.filter(([one]) => one === name));
  const hidden = all.filter(([name]) => !first.includes(name));
  const only = (fields: typeof all): Schema => ({ type: "object", properties: Object.fromEntries(fields) });
  return { shown: only(shown), hidden: only(hidden) };
}

/** Adds examples to every text field of a name, at any depth. */
export function withExamples(schema: Schema, name: string, examples: readonly string[]): Schema {
  const inner = (one: Schema) => withExamples(one, name, examples);
  const properties = Object.entries(schema.properties ?? {}).map(([key, one]) => {
    const isNamed = key === name && one.type === "string" && one.const === undefined;
    return [key, isNamed ? { ...one, examples } : inner(one)] as const;
  });
  return {
    ...schema,
    ...(schema.properties === undefined ? {} : { properties: Object.fromEntries(properties) }),
    ...(schema.items === undefined ? {} : { items: inner(schema.items) }),
    ...(schema.oneOf === undefined ? {} : { oneOf: schema.oneOf.map(inner) }),
  };
}

export function defaultOf(schema: Schema): Json | undefined {
  if (schema.default !== undefined) return schema.default;
  if (schema.const !== undefined) return schema.const;
  const [first] = variantsOf(schema);
  if (first !== undefined) return defaultOf(first.schema);
  if (schema.type === "boolean") return false;
  if (schema.enum !== undefined) return schema.enum[0];
  if (schema.type === "array") return [];
  if (schema.type !== "object") return undefined;
  const { properties = {}, required = [] } = schema;
  const filled = required.flatMap((name) => {
    const inner = properties[name] === undefined ? undefined : defaultOf(properties[name]);
    return inner === undefined ? [] : [[name, inner] as const];
  });
  return Object.fromEntries(filled);
}

/** Returns the value with `next` at a path; `undefined` removes the property or item. */
export function setAt(value: Json | undefined, path: Path, next: Json | undefined): Json | undefined {
  const [step, ...rest] = path;
  if (step === undefined) return next;
  if (typeof step === "number") {
    const list = isList(value) ? [...value] : [];
    const inner = setAt(list[step], rest, next);
    list.splice(step, 1, ...(inner === undefined ? [] : [inner]));
    return list;
  }
  const { [step]: before, ...others } = isRecord(value) ? value : {};
  const inner = setAt(before, rest, next);
  return inner === undefined ? others : { ...others, [step]: inner };
}

export function isList(value: unknown): value is readonly Json[] {
  return Array.isArray(value);
}

export function isRecord(value: unknown): value is JsonRecord {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}

export function isJson(value: unknown): value is Json {
  if (value === null || ["string", "number", "boolean"].includes(typeof value)) return true;
  return typeof value === "object" && value !== null && Object.values(value).every(isJson);
}

/** Checks only for an object: the schemas come from the gateway. */
export function isSchema(value: unknown): value is Schema {
  return isRecord(value);
}

/** Splits a text at commas. Returns `undefined` if there are no words. */
export function wordsIn(text: string): readonly string[] | undefined {
  const words = text
    .split(",")
    .map((word) => word.trim())
    .filter((word) => word !== "");
  return words.length === 0 ? undefined : words;
}

/** Parses JSON. If the schema also accepts text, a text that is not JSON is returned as is. */
export function jsonIn(schema: Schema, text: string): Json | undefined {
  if (text.trim() === "") return undefined;
  const value = parse(text);
  return value === undefined && takesText(schema) ? text.trim() : value;
}

/** Formats a value so that `jsonIn` reads it back. */
export function writeJson(schema: Schema, value: Json | undefined): string {
  if (value === undefined) return "";
  const isPlain = typeof value === "string" && jsonIn(schema, value) === value;
  return isPlain ? value : JSON.stringify(value, null, 2);
}

function takesText({ anyOf = [] }: Schema): boolean {
  return anyOf.some(({ type }) => type === "string");
}

function parse(text: string): Json | undefined {
  try {
    const value: unknown = JSON.parse(text);
    return isJson(value) ? value : undefined;
  } catch {
    return undefined;
  }
}

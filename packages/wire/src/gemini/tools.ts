import {
  isJsonArray,
  isJsonObject,
  type JsonObject,
  type JsonValue,
  type Tool,
  table,
} from "@longhaul/conversation/advanced";
import type { EncodeOptions } from "../codec/rules.ts";
import { finish, mapSteps, type Steps } from "../codec/stepper.ts";
import { objectSchema } from "../content/tool-input.ts";
import {
  defined,
  extraOf,
  nonEmptyString,
  readEach,
  readObject,
  readSteps,
  readString,
  sameValue,
  setOwn,
} from "../fields/json.ts";
import { camelFields } from "./field-names.ts";
import { WIRE } from "./rules.ts";

/** Decodes the `tools` of a request. Each entry contains any number of functions and Google's server tools. */
export function* toolSteps(tools: JsonValue | undefined): Steps<readonly Tool[]> {
  const entries = yield* readSteps(tools ?? [], "tools", openEntry);
  return yield* mapSteps(entries.flat(), (decode) => decode());
}

/** Returns a function for each tool of an entry, because one entry may contain thousands. */
function openEntry(value: JsonValue, path: string): readonly (() => Tool)[] {
  return Object.entries(camelFields(readObject(value, path))).flatMap(([field, inner]): readonly (() => Tool)[] => {
    if (field !== "functionDeclarations")
      return [() => ({ name: field, kind: "server", native: { wire: WIRE, value: { [field]: inner } } })];
    return readEach(inner, `${path}.${field}`, (each, place) => () => decodeFunction(each, place));
  });
}

function decodeFunction(value: JsonValue, path: string): Tool {
  const declaration = camelFields(readObject(value, path));
  return defined({
    name: readString(declaration.name, `${path}.name`),
    kind: "function" as const,
    description: nonEmptyString(declaration.description),
    inputSchema: decodeSchema(declaration),
    native: { wire: WIRE, value },
    extra: extraOf(declaration, FUNCTION_FIELDS),
  });
}

const FUNCTION_FIELDS: ReadonlySet<string> = new Set(["name", "description", "parameters", "parametersJsonSchema"]);

function decodeSchema({ parametersJsonSchema, parameters }: JsonObject): JsonObject | undefined {
  if (isJsonObject(parametersJsonSchema)) return parametersJsonSchema;
  return isJsonObject(parameters) ? jsonSchemaOf(parameters) : undefined;
}

/** Encodes tools. If none changed, the client's own entries are kept. */
export function encodeTools(tools: readonly Tool[], own: JsonValue | undefined, options: EncodeOptions): JsonValue {
  if (own !== undefined && isUnchanged(tools, own)) return own;
  const functions = tools.filter(({ kind }) => kind !== "server").map((tool) => encodeFunction(tool, options));
  const servers = tools.flatMap(({ kind, native }) =>
    kind === "server" && native !== undefined ? [native.value] : [],
  );
  return [...(functions.length === 0 ? [] : [{ functionDeclarations: functions }]), ...servers];
}

function isUnchanged(tools: readonly Tool[], own: JsonValue): boolean {
  const before = finish(toolSteps(own));
  return before.length === tools.length && before.every(({ native }, index) => sameValue(native, tools[index]?.native));
}

function encodeFunction(tool: Tool, options: EncodeOptions): JsonValue {
  if (tool.native?.wire === WIRE) return tool.native.value;
  const { name, description, inputSchema } = tool;
  // The older field accepts only a subset of OpenAPI schemas and rejects what agents send.
  const fields = defined({ description, parametersJsonSchema: inputSchema && objectSchema(inputSchema) });
  return { name, ...fields, ...(options.extras ? tool.extra : undefined) };
}

/**
 * Converts Gemini's own schemas, a subset of OpenAPI (`type: "STRING"`, `nullable`, numbers as strings), to JSON Schema. Values of `enum`,
 * `default` and `example` are data and stay unchanged.
 */
export function jsonSchemaOf(schema: JsonObject): JsonObject {
  const read = mapped(schema, (value, keyword) =>
    LEFT_OUT.has(keyword) ? undefined : (READERS[keyword]?.(value) ?? value),
  );
  return schema.nullable === true ? orNull(read) : read;
}

/** Maps each value of an object and drops undefined results. A loop takes a third of the time of `Object.entries`. */
function mapped(object: JsonObject, map: (value: JsonValue, name: string) => JsonValue | undefined): JsonObject {
  const result: Record<string, JsonValue> = {};
  for (const name of Object.keys(object)) {
    const inner = object[name];
    const value = inner === undefined ? undefined : map(inner, name);
    if (value !== undefined) setOwn(result, name, value);
  }
  return result;
}

/** Keywords that only Gemini understands. */
const LEFT_OUT: ReadonlySet<string> = new Set(["nullable", "propertyOrdering"]);

/** Keywords whose values have another form in JSON Schema or contain schemas. */
const READERS: Readonly<Record<string, (value: JsonValue) => JsonValue>> = table({
  type: (value) => (typeof value === "string" ? value.toLowerCase() : value),
  properties: readFields,
  items: readSchema,
  additionalProperties: readSchema,
  anyOf: readSchemas,
  prefixItems: readSchemas,
  minItems: readCount,
  maxItems: readCount,
  minLength: readCount,
  maxLength: readCount,
  minProperties: readCount,
  maxProperties: readCount,
});

function readSchema(value: JsonValue): JsonValue {
  return isJsonObject(value) ? jsonSchemaOf(value) : value;
}

function readSchemas(value: JsonValue): JsonValue {
  return isJsonArray(value) ? value.map(readSchema) : value;
}

function readFields(value: JsonValue): JsonValue {
  return isJsonObject(value) ? mapped(value, readSchema) : value;
}

/** The API encodes 64-bit integers as strings. */
function readCount(value: JsonValue): JsonValue {
  return typeof value === "string" ? Number(value) : value;
}

function orNull(schema: JsonObject): JsonObject {
  if (typeof schema.type === "string") return { ...schema, type: [schema.type, "null"] };
  const choices = schema.anyOf;
  return choices !== undefined && isJsonArray(choices) ? { ...schema, anyOf: [...choices, { type: "null" }] } : schema;
}

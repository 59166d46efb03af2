import { isJsonArray, isJsonObject, type JsonObject, type JsonValue, table } from "@longhaul/conversation";

/**
 * Reads a schema of Gemini's own kind, a part of OpenAPI's (`type: "STRING"`, `nullable`, numbers as strings), as JSON Schema. Only
 * schemas are looked at: what lies in `enum`, `default` and `example` is data.
 */
export function jsonSchemaOf(schema: JsonObject): JsonObject {
  const read = mapped(schema, (value, keyword) =>
    LEFT_OUT.has(keyword) ? undefined : (READERS[keyword]?.(value) ?? value),
  );
  return schema.nullable === true ? orNull(read) : read;
}

/** Maps each value of an object and leaves out what becomes undefined. A loop, because lists of entries take three times as long. */
function mapped(object: JsonObject, map: (value: JsonValue, name: string) => JsonValue | undefined): JsonObject {
  const result: Record<string, JsonValue> = {};
  for (const name of Object.keys(object)) {
    const inner = object[name];
    const value = inner === undefined ? undefined : map(inner, name);
    if (value === undefined) continue;
    if (name === "__proto__") Object.defineProperty(result, name, { value, ...OWN });
    else result[name] = value;
  }
  return result;
}

const OWN = { enumerable: true, configurable: true, writable: true };

/** What only Gemini reads. */
const LEFT_OUT: ReadonlySet<string> = new Set(["nullable", "propertyOrdering"]);

/** The keywords whose values are spelled in another way, or hold schemas. */
const READERS: Readonly<Record<string, (value: JsonValue) => JsonValue>> = table({
  type: (value) => (typeof value === "string" ? value.toLowerCase() : value),
  properties: readEach,
  items: readSchema,
  additionalProperties: readSchema,
  anyOf: readList,
  prefixItems: readList,
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

function readList(value: JsonValue): JsonValue {
  return isJsonArray(value) ? value.map(readSchema) : value;
}

function readEach(value: JsonValue): JsonValue {
  if (!isJsonObject(value)) return value;
  return mapped(value, readSchema);
}

/** The API's JSON spells 64-bit numbers as strings. */
function readCount(value: JsonValue): JsonValue {
  return typeof value === "string" ? Number(value) : value;
}

function orNull(schema: JsonObject): JsonObject {
  if (typeof schema.type === "string") return { ...schema, type: [schema.type, "null"] };
  const choices = schema.anyOf;
  return choices !== undefined && isJsonArray(choices) ? { ...schema, anyOf: [...choices, { type: "null" }] } : schema;
}

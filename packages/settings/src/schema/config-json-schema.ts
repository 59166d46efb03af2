import {
  isJsonArray,
  isJsonObject,
  type JsonObject,
  type JsonValue,
  parseJsonText,
} from "@longhaul/conversation/advanced";
import { z } from "zod";
import { configSchema } from "./config.ts";

/** Returns the JSON Schema of configuration files for editors and other programs, with variables. */
export function configJsonSchema(): JsonObject {
  // Draft 7 has the best editor support.
  const json: JsonValue = parseJsonText(
    JSON.stringify(z.toJSONSchema(configSchema, { io: "input", target: "draft-07" })),
  );
  const schema = isJsonObject(json) ? allowVariables(json) : {};
  const { $schema = null, properties, ...rest } = isJsonObject(schema) ? schema : {};
  return {
    $schema,
    title: "longhaul.yaml",
    description: "The configuration of the Longhaul gateway.",
    ...rest,
    // JSON files name their schema with this key.
    properties: { $schema: { type: "string" }, ...(isJsonObject(properties) ? properties : {}) },
    definitions: { variable: VARIABLE },
  };
}

const VARIABLE = {
  description: "Value of an environment variable: ${NAME} or ${NAME:-default}.",
  type: "string",
  pattern: "\\$\\{[A-Za-z_]\\w*(:-[^}]*)?\\}",
};

/** Allows a variable wherever the schema does not accept any string. */
function allowVariables(schema: JsonValue): JsonValue {
  if (isJsonArray(schema)) return schema.map(allowVariables);
  if (!isJsonObject(schema)) return schema;
  const { description, default: preset, ...rest } = schema;
  if (!rejectsStrings(rest)) {
    return Object.fromEntries(Object.entries(schema).map(([key, value]) => [key, allowVariables(value)]));
  }
  const about = { ...(description !== undefined && { description }), ...(preset !== undefined && { default: preset }) };
  return { ...about, anyOf: [rest, { $ref: "#/definitions/variable" }] };
}

function rejectsStrings({ type, format, enum: values }: JsonObject): boolean {
  return type === "integer" || type === "number" || type === "boolean" || format === "uri" || values !== undefined;
}

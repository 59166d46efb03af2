import { isJsonArray, isJsonObject, type JsonObject, type JsonValue, parseJsonText } from "@longhaul/conversation";
import { z } from "zod";
import { configSchema } from "./config.ts";

/** The configuration's schema for editors and other programs, as JSON Schema: what may stand in a file, variables included. */
export function configJsonSchema(): JsonObject {
  // Editors know draft 7 best.
  const spelled: JsonValue = parseJsonText(
    JSON.stringify(z.toJSONSchema(configSchema, { io: "input", target: "draft-07" })),
  );
  const schema = isJsonObject(spelled) ? allowVariables(spelled) : {};
  const { $schema = null, properties, ...rest } = isJsonObject(schema) ? schema : {};
  return {
    $schema,
    title: "longhaul.yaml",
    description: "The configuration of the Longhaul gateway.",
    ...rest,
    // Editors look at this key themselves, in JSON files.
    properties: { $schema: { type: "string" }, ...(isJsonObject(properties) ? properties : {}) },
    definitions: { variable: VARIABLE },
  };
}

const VARIABLE = {
  description: "Filled in from the environment: ${NAME} or ${NAME:-default}.",
  type: "string",
  pattern: "\\$\\{[A-Za-z_]\\w*(:-[^}]*)?\\}",
};

/** Lets a variable stand wherever a plain text would not do. */
function allowVariables(schema: JsonValue): JsonValue {
  if (isJsonArray(schema)) return schema.map(allowVariables);
  if (!isJsonObject(schema)) return schema;
  const { description, default: preset, ...rest } = schema;
  if (!refusesText(rest)) {
    return Object.fromEntries(Object.entries(schema).map(([key, value]) => [key, allowVariables(value)]));
  }
  const told = { ...(description !== undefined && { description }), ...(preset !== undefined && { default: preset }) };
  return { ...told, anyOf: [rest, { $ref: "#/definitions/variable" }] };
}

function refusesText({ type, format, enum: values }: JsonObject): boolean {
  return type === "integer" || type === "number" || type === "boolean" || format === "uri" || values !== undefined;
}

import { isGiven, type JsonObject, objectIn, objectsIn } from "../core/json.ts";
import { demand } from "../core/rejection.ts";

/** Refuses a schema of the OpenAPI subset that does not say enough: an object without fields, a list without elements. */
export function checkSchema(schema: JsonObject, path: string): void {
  const { type, properties, items, anyOf } = schema;
  const fields = Object.entries(objectIn(properties));
  demand(
    type !== "OBJECT" || fields.length > 0 || isGiven(anyOf),
    `* ${path}.properties: should be non-empty for OBJECT type\n`,
  );
  demand(type !== "ARRAY" || isGiven(items), `* ${path}.items: missing field.\n`);
  for (const [name, field] of fields) checkSchema(objectIn(field), `${path}.properties[${name}]`);
  if (isGiven(items)) checkSchema(objectIn(items), `${path}.items`);
  for (const [at, choice] of objectsIn(anyOf).entries()) checkSchema(choice, `${path}.any_of[${at}]`);
}

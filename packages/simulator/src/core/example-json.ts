import { isObject, type JsonObject, listIn, numberIn, objectIn, objectsIn, textIn, textsIn } from "./json.ts";

const MAX_DEPTH = 8;

/** A value that a JSON Schema allows: the first of every choice, required fields only where some are required. */
export function exampleOf(schema: unknown, depth = 0): unknown {
  if (!isObject(schema) || depth > MAX_DEPTH) return {};
  if ("const" in schema) return schema.const;
  const [first] = listIn(schema.enum);
  if (first !== undefined) return first;
  const [choice] = [...objectsIn(schema.anyOf), ...objectsIn(schema.oneOf), ...objectsIn(schema.allOf)];
  if (choice !== undefined) return exampleOf(choice, depth + 1);
  return exampleOfType(schema, depth);
}

function exampleOfType(schema: JsonObject, depth: number): unknown {
  switch (typeOf(schema)) {
    case "string":
      return "text".padEnd(numberIn(schema.minLength) ?? 0, "x");
    case "integer":
    case "number":
      return numberIn(schema.minimum) ?? 1;
    case "boolean":
      return true;
    case "null":
      return null;
    case "array":
      return Array.from({ length: Math.max(1, numberIn(schema.minItems) ?? 1) }, () =>
        exampleOf(schema.items, depth + 1),
      );
    default:
      return exampleObject(schema, depth);
  }
}

/** The first type; Gemini writes types in capitals. */
function typeOf(schema: JsonObject): string {
  const [first = ""] = typeof schema.type === "string" ? [schema.type] : textsIn(schema.type);
  return textIn(first).toLowerCase();
}

function exampleObject(schema: JsonObject, depth: number): JsonObject {
  const properties = objectIn(schema.properties);
  const required = textsIn(schema.required);
  const names = required.length > 0 ? required : Object.keys(properties);
  return Object.fromEntries(names.map((name) => [name, exampleOf(properties[name], depth + 1)]));
}

import { isJsonObject, type JsonObject, type JsonValue } from "@longhaul/conversation";
import { objectIn } from "../fields/json.ts";

/**
 * An object of the API with the names of its fields as we know them: the REST interface takes `inlineData` and `inline_data` alike. Only
 * the object itself is looked at, because what lies in it can be a client's own data.
 */
export function camelFields(object: JsonObject): JsonObject {
  if (!Object.keys(object).some((name) => name.includes("_"))) return object;
  return Object.fromEntries(Object.entries(object).map(([name, value]) => [camelName(name), value]));
}

/** The same for the field of an object, where that is an object of the API too. */
export function camelField(object: JsonObject, name: string): JsonObject {
  const inner = object[name];
  if (!isJsonObject(inner)) return object;
  const spelled = camelFields(inner);
  return spelled === inner ? object : { ...object, [name]: spelled };
}

/** The fields of an object inside another one; none where there is no object. */
export function innerFields(value: JsonValue | undefined): JsonObject {
  return camelFields(objectIn(value));
}

function camelName(name: string): string {
  return name.replace(/(?<=[a-z0-9])_([a-z0-9])/g, (_, letter: string) => letter.toUpperCase());
}

/** A name as the API's own definition spells it. */
export function snakeName(name: string): string {
  return name.replace(/[A-Z]/g, (letter) => `_${letter.toLowerCase()}`);
}

import { isJsonArray, isJsonObject, type JsonValue, LonghaulError } from "@longhaul/conversation";
import { type Document, parseDocument } from "yaml";

/** YAML edited through its document, which keeps comments and order. `name=x` in a path is the entry of a list whose name is x. */

/** Puts a value at a path; an entry of a list that is not there is added at its end. */
export function setYaml(text: string, path: readonly string[], value: JsonValue): string {
  const document = open(text);
  document.setIn(keysOf(document, path), value);
  return document.toString();
}

/** What stands at a path; nothing where nothing does. */
export function getYaml(text: string, path: readonly string[]): JsonValue | undefined {
  const document = open(text);
  let value = plain(document);
  for (const key of keysOf(document, path)) value = step(value, key);
  return value;
}

/** Takes out what stands at a path, and a list that is empty then. */
export function removeYaml(text: string, path: readonly string[]): string {
  if (getYaml(text, path) === undefined) return text;
  const document = open(text);
  const keys = keysOf(document, path);
  document.deleteIn(keys);
  const left = getYaml(document.toString(), path.slice(0, -1));
  if (left !== undefined && isJsonArray(left) && left.length === 0) document.deleteIn(keys.slice(0, -1));
  const rest = document.toString();
  return rest.trim() === "{}" ? "" : rest;
}

function open(text: string): Document.Parsed | Document {
  const document = parseDocument(text);
  const [fault] = document.errors;
  if (fault === undefined) return document;
  const [why = ""] = fault.message.split(/:?\n/);
  throw new LonghaulError("settings.invalid", `it is not valid YAML: ${why}; correct it first`);
}

function plain(document: Document): JsonValue | undefined {
  const value: JsonValue | undefined = document.toJS() ?? undefined;
  return value;
}

function keysOf(document: Document, path: readonly string[]): (string | number)[] {
  let value = plain(document);
  return path.map((name) => {
    const key = name.startsWith("name=") ? indexOf(value, name.slice("name=".length)) : name;
    value = step(value, key);
    return key;
  });
}

function indexOf(list: JsonValue | undefined, name: string): number {
  if (list === undefined || !isJsonArray(list)) return 0;
  const found = list.findIndex((entry) => isJsonObject(entry) && entry.name === name);
  return found === -1 ? list.length : found;
}

function step(value: JsonValue | undefined, key: string | number): JsonValue | undefined {
  if (value === undefined) return undefined;
  if (typeof key === "number") return isJsonArray(value) ? value[key] : undefined;
  return isJsonObject(value) ? value[key] : undefined;
}

import { Rejection } from "../core/api.ts";
import { isGiven, isObject, type JsonObject } from "../core/json.ts";
import { ENUMS, MESSAGES } from "./fields.ts";

interface Violation {
  readonly field: string;
  readonly description: string;
}

/** Reads a body like Google's servers: names in either case, one element for a list. Rejects all unknown fields at once. */
export function readMessage(body: unknown, message: string): JsonObject {
  if (body === undefined) throw new Rejection(400, "Invalid JSON payload received. Unexpected end of string.");
  if (!isObject(body))
    throw new Rejection(400, 'Invalid JSON payload received. Unknown name "": Root element must be a message.');
  const violations: Violation[] = [];
  const read = readFields(body, { message, path: "" }, violations);
  if (violations.length === 0) return read;
  const details = { "@type": "type.googleapis.com/google.rpc.BadRequest", fieldViolations: violations };
  throw new Rejection(400, violations.map(({ description }) => description).join("\n"), { more: [details] });
}

interface FieldPath {
  readonly message: string;
  readonly path: string;
}

function readFields(object: JsonObject, { message, path }: FieldPath, violations: Violation[]): JsonObject {
  const known = MESSAGES[message] ?? {};
  const at = path === "" ? "" : ` at '${path}'`;
  const refuse = (name: string, why: string) =>
    violations.push({
      field: path,
      description: `Invalid JSON payload received. Unknown name "${name}"${at}: ${why}`,
    });
  const entries = Object.entries(object).flatMap(([name, value]) => {
    const field = name.replace(/_([a-z])/g, (_, letter: string) => letter.toUpperCase());
    const type = known[field];
    if (type === undefined) refuse(name, "Cannot find field.");
    else if (Array.isArray(value) && type !== "any" && !type.endsWith("[]"))
      refuse(name, "Proto field is not repeating, cannot start list.");
    else if (isGiven(value)) return [[field, readValue(value, { message: type, path: join(path, field) }, violations)]];
    return [];
  });
  return Object.fromEntries(entries);
}

function readValue(value: unknown, { message, path }: FieldPath, violations: Violation[]): unknown {
  if (message === "any") return value;
  if (message.endsWith("[]")) {
    const element = message.slice(0, -2);
    const list = Array.isArray(value) ? value : [value];
    return list.map((each, at) => readValue(each, { message: element, path: `${path}[${at}]` }, violations));
  }
  if (message.endsWith("{}") && isObject(value)) {
    const element = message.slice(0, -2);
    const entries = Object.entries(value).map(([name, each], at) => [
      name,
      readValue(each, { message: element, path: `${path}[${at}].value` }, violations),
    ]);
    return Object.fromEntries(entries);
  }
  if (MESSAGES[message] !== undefined && isObject(value)) return readFields(value, { message, path }, violations);
  return readScalar(value, { message, path }, violations);
}

const BASE64 = /^[A-Za-z0-9+/_-]*={0,2}$/;
const PACKAGE = "type.googleapis.com/google.ai.generativelanguage.v1beta.";

function readScalar(value: unknown, { message, path }: FieldPath, violations: Violation[]): unknown {
  const read = scalarIn(value, message);
  if (read !== undefined) return read;
  const shown = JSON.stringify(value);
  const type = SCALARS[message] ?? `${PACKAGE}${message.replace("{}", "")}`;
  const description =
    message === "bytes" && typeof value === "string"
      ? `Invalid value at '${path}' (TYPE_BYTES), Base64 decoding failed for ${shown}`
      : `Invalid value at '${path}' (${type}), ${shown}`;
  violations.push({ field: path, description });
  return undefined;
}

const SCALARS: Readonly<Record<string, string>> = {
  string: "TYPE_STRING",
  number: "TYPE_DOUBLE",
  boolean: "TYPE_BOOL",
  bytes: "TYPE_BYTES",
  struct: "type.googleapis.com/google.protobuf.Struct",
};

function scalarIn(value: unknown, type: string): unknown {
  if (typeof value === "string") return readText(value, type);
  if (typeof value === "number") return type === "number" ? value : undefined;
  if (typeof value === "boolean") return type === "boolean" ? value : undefined;
  return type === "struct" && isObject(value) ? value : undefined;
}

function readText(text: string, type: string): unknown {
  switch (type) {
    case "string":
      return text;
    case "number":
      return text !== "" && Number.isFinite(Number(text)) ? Number(text) : undefined;
    case "bytes":
      return BASE64.test(text) ? text : undefined;
    default:
      return ENUMS[type]?.find((known) => known === text.toUpperCase());
  }
}

function join(path: string, name: string): string {
  const field = name.replace(/[A-Z]/g, (letter) => `_${letter.toLowerCase()}`);
  return path === "" ? field : `${path}.${field}`;
}

import { isJsonArray, isJsonObject, type JsonObject, type JsonValue } from "@longhaul/conversation";
import { SCHEMA_MARKS, withBetween } from "./between-marks.ts";

/** The page with the reference of an OpenAPI document in it. */
export function withApi(page: string, api: JsonObject): string {
  return withBetween(page, SCHEMA_MARKS, apiReference(api));
}

/** Every route, as Markdown. */
function apiReference({ paths }: JsonObject): string {
  const routes = Object.entries(objectIn(paths)).flatMap(([path, methods]) =>
    Object.entries(objectIn(methods)).map(([method, operation]) => describe(method, path, objectIn(operation))),
  );
  return routes.join("\n\n");
}

function describe(method: string, path: string, operation: JsonObject): string {
  const { summary, security, parameters, requestBody, responses } = operation;
  const query = listIn(parameters).filter((parameter) => objectIn(parameter).in === "query");
  const isOpen = listIn(security).length === 0;
  return [
    `### \`${method.toUpperCase()} ${path}\``,
    "",
    `${summary}${isOpen ? " No sign-in required." : ""}`,
    ...section(
      "Query",
      query.flatMap((parameter) => queryLine(objectIn(parameter))),
    ),
    ...section("Body", fieldLines(schemaIn(requestBody))),
    ...section("Answer", answerLines(objectIn(responses)["200"])),
  ].join("\n");
}

function section(title: string, lines: readonly string[]): string[] {
  return lines.length === 0 ? [] : ["", `${title}:`, "", ...lines];
}

function queryLine({ name, required, schema }: JsonObject): string[] {
  return [line({ name: String(name), isNeeded: required === true, schema: objectIn(schema), depth: 0 })];
}

function answerLines(response: JsonValue | undefined): string[] {
  const { content } = objectIn(response);
  const [[type, { schema = {} } = {}] = ["", {}]] = Object.entries(objectIn(content)).map(
    ([name, inner]) => [name, objectIn(inner)] as const,
  );
  return type === "application/json" && Object.keys(objectIn(schema)).length > 0
    ? fieldLines(objectIn(schema))
    : [`- \`${type}\``];
}

function schemaIn(requestBody: JsonValue | undefined): JsonObject {
  const { content } = objectIn(requestBody);
  return objectIn(objectIn(objectIn(content)["application/json"]).schema);
}

const MAX_DEPTH = 3;

/** What stands in an object, or in those of a list of them. */
function fieldLines(schema: JsonObject, depth = 0): string[] {
  if (depth >= MAX_DEPTH) return [];
  const { properties, required, items } = schema;
  if (items !== undefined) return fieldLines(objectIn(items), depth);
  const needed = listIn(required);
  return Object.entries(objectIn(properties)).flatMap(([name, inner]) => {
    const field = objectIn(inner);
    const isNeeded = needed.includes(name) && field.default === undefined;
    return [line({ name, isNeeded, schema: field, depth }), ...fieldLines(field, depth + 1)];
  });
}

interface Field {
  readonly name: string;
  readonly isNeeded: boolean;
  readonly schema: JsonObject;
  readonly depth: number;
}

function line({ name, isNeeded, schema, depth }: Field): string {
  const { description, default: preset } = schema;
  const fallback = preset === undefined ? "" : `, else \`${JSON.stringify(preset)}\``;
  const type = `${spellType(schema)}${isNeeded ? "" : `, may be absent${fallback}`}`;
  const told = typeof description === "string" ? `: ${description}` : "";
  return `${"  ".repeat(depth)}- \`${name}\` (${type})${told}`;
}

function spellType({ type, enum: values, const: only, anyOf, items }: JsonObject): string {
  if (values !== undefined)
    return listIn(values)
      .map((value) => `\`${JSON.stringify(value)}\``)
      .join(", ");
  if (only !== undefined) return `\`${JSON.stringify(only)}\``;
  if (anyOf !== undefined)
    return listIn(anyOf)
      .map((inner) => spellType(objectIn(inner)))
      .join(" or ");
  if (type === "array") return `list of ${spellType(objectIn(items))}`;
  return typeof type === "string" ? type : "any JSON";
}

function objectIn(value: JsonValue | undefined): JsonObject {
  return isJsonObject(value) ? value : {};
}

function listIn(value: JsonValue | undefined): readonly JsonValue[] {
  return value !== undefined && isJsonArray(value) ? value : [];
}

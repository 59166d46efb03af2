import { isJsonArray, isJsonObject, type JsonObject, type JsonValue } from "@longhaul/conversation/advanced";
import { listSettingGroups, listSettings, type Setting } from "@longhaul/settings";
import { CLIENTS } from "../packages/cli/src/connect/clients.ts";
import { shortLines } from "../packages/cli/src/connect/describe-client.ts";

/** Returns the page with the current settings reference. */
export function withReference(page: string): string {
  return withBetween(page, SCHEMA_MARKS, settingsReference());
}

function settingsReference(): string {
  return listSettingGroups()
    .map(({ name, help }) => describeGroup(name, help))
    .join("\n\n");
}

function describeGroup(name: string, help: string): string {
  const settings = listSettings().filter(({ group }) => group === name);
  const inherited = new Set(settings.flatMap((setting) => widerSection(setting) ?? []));
  const rows = settings.filter((setting) => widerSection(setting) === undefined).map(describeRow);
  const also = [...inherited].map((section) => `\`${section}\``).join(" and ");
  return [
    `### \`${name}\``,
    "",
    `${help}${also === "" ? "" : ` All settings of ${also} can also be set in \`${name}.*.context\` and \`${name}.*.reasoning\`.`}`,
    "",
    "| setting | type | default | description |",
    "|---|---|---|---|",
    ...rows,
  ].join("\n");
}

/** Returns the section whose setting this one repeats, with the same help, for a narrower scope. */
function widerSection({ path, help }: Setting): string | undefined {
  const wider = path.replace(/^(?:profiles|routes)\.\*\./, "");
  const same = listSettings().find((setting) => setting.path === wider && setting.help === help);
  return wider === path ? undefined : same?.group;
}

function describeRow({ path, schema, default: preset, help, variable, needsRestart, isSecret }: Setting): string {
  const notes = [
    ...(variable === undefined ? [] : [`Variable: \`${variable}\`.`]),
    ...(isSecret ? ["Secret."] : []),
    ...(needsRestart ? ["Applies after a restart."] : []),
  ];
  const cells = [
    `\`${path}\``,
    settingType(schema),
    preset === undefined ? "–" : code(preset),
    [help, ...notes].join(" "),
  ];
  return `| ${cells.map((cell) => cell.replaceAll("|", "\\|")).join(" | ")} |`;
}

function code(value: JsonValue): string {
  return `\`${typeof value === "string" ? value : JSON.stringify(value)}\``;
}

function settingType(schema: JsonObject): string {
  const { type, enum: values, const: only, anyOf, items } = schema;
  if (values !== undefined && isJsonArray(values)) return values.map(code).join(", ");
  if (only !== undefined) return code(only);
  if (anyOf !== undefined && isJsonArray(anyOf)) return anyOf.filter(isJsonObject).map(settingType).join(" or ");
  if (type === "array") return `list of ${isJsonObject(items) && items.type === "object" ? "objects" : "strings"}`;
  if (type === "integer" || type === "number") return numberType(schema);
  return { string: "string", boolean: "`true`, `false`", object: "object" }[String(type)] ?? String(type);
}

function numberType({ minimum, maximum, exclusiveMinimum }: JsonObject): string {
  const from = minimum ?? exclusiveMinimum;
  const to = typeof maximum === "number" && maximum < Number.MAX_SAFE_INTEGER ? maximum : undefined;
  if (typeof from !== "number" || from <= Number.MIN_SAFE_INTEGER) return "number";
  if (to !== undefined) return `number, ${from} to ${to}`;
  return minimum === undefined ? `number above ${from}` : `number from ${from}`;
}

/** Returns the page with the reference of an OpenAPI document. */
export function withApi(page: string, api: JsonObject): string {
  return withBetween(page, SCHEMA_MARKS, apiReference(api));
}

function apiReference({ paths }: JsonObject): string {
  const routes = Object.entries(objectIn(paths)).flatMap(([path, methods]) =>
    Object.entries(objectIn(methods)).map(([method, operation]) => describeRoute(method, path, objectIn(operation))),
  );
  return routes.join("\n\n");
}

function describeRoute(method: string, path: string, operation: JsonObject): string {
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
    ...section("Response", responseLines(objectIn(responses)["200"])),
  ].join("\n");
}

function section(title: string, lines: readonly string[]): string[] {
  return lines.length === 0 ? [] : ["", `${title}:`, "", ...lines];
}

function queryLine({ name, required, schema }: JsonObject): string[] {
  return [line({ name: String(name), isRequired: required === true, schema: objectIn(schema), depth: 0 })];
}

function responseLines(response: JsonValue | undefined): string[] {
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

/** Lists the fields of an object, or of the objects in a list. */
function fieldLines(schema: JsonObject, depth = 0): string[] {
  if (depth >= MAX_DEPTH) return [];
  const { properties, required, items } = schema;
  if (items !== undefined) return fieldLines(objectIn(items), depth);
  const needed = listIn(required);
  return Object.entries(objectIn(properties)).flatMap(([name, inner]) => {
    const field = objectIn(inner);
    const isRequired = needed.includes(name) && field.default === undefined;
    return [line({ name, isRequired, schema: field, depth }), ...fieldLines(field, depth + 1)];
  });
}

interface Field {
  readonly name: string;
  readonly isRequired: boolean;
  readonly schema: JsonObject;
  readonly depth: number;
}

function line({ name, isRequired, schema, depth }: Field): string {
  const { description, default: preset } = schema;
  const fallback = preset === undefined ? "" : `, default \`${JSON.stringify(preset)}\``;
  const type = `${jsonType(schema)}${isRequired ? "" : `, optional${fallback}`}`;
  const text = typeof description === "string" ? `: ${description}` : "";
  return `${"  ".repeat(depth)}- \`${name}\` (${type})${text}`;
}

function jsonType({ type, enum: values, const: only, anyOf, items }: JsonObject): string {
  if (values !== undefined)
    return listIn(values)
      .map((value) => `\`${JSON.stringify(value)}\``)
      .join(", ");
  if (only !== undefined) return `\`${JSON.stringify(only)}\``;
  if (anyOf !== undefined) return [...new Set(listIn(anyOf).map((inner) => jsonType(objectIn(inner))))].join(" or ");
  if (type === "array") return `list of ${jsonType(objectIn(items))}`;
  if (type !== undefined && isJsonArray(type)) return type.join(" or ");
  return typeof type === "string" ? type : "any JSON";
}

function objectIn(value: JsonValue | undefined): JsonObject {
  return isJsonObject(value) ? value : {};
}

function listIn(value: JsonValue | undefined): readonly JsonValue[] {
  return value !== undefined && isJsonArray(value) ? value : [];
}

/** Returns the dashboard's lines for each client as JSON, with `{url}` in place of the gateway's address. */
export function clientLines(): string {
  const filling = { url: "{url}", model: "claude-sonnet-4-5" };
  return `${JSON.stringify(
    CLIENTS.map((client) => shortLines(client, filling)),
    null,
    2,
  )}\n`;
}

/** Replaces the text between two marks of a page. Throws if the page lacks one. */
export function withBetween(page: string, [begin, end]: Marks, text: string): string {
  const from = page.indexOf(begin) + begin.length;
  const to = page.indexOf(end, from);
  if (!page.includes(begin) || to < 0) throw new Error(`the page lacks "${begin}" followed by "${end}"`);
  return `${page.slice(0, from)}\n\n${text}\n\n${page.slice(to)}`;
}

/** The marks around the generated part of a page. */
export type Marks = readonly [begin: string, end: string];

export const SCHEMA_MARKS: Marks = ["<!-- Generated by `npm run schema`. -->", "<!-- End of generated content. -->"];

import { isJsonArray, isJsonObject, type JsonObject, type JsonValue } from "@longhaul/conversation";
import { listSettingGroups, listSettings, type Setting } from "@longhaul/settings";
import { SCHEMA_MARKS, withBetween } from "./between-marks.ts";

/** The page with the reference of today's settings in it. */
export function withReference(page: string): string {
  return withBetween(page, SCHEMA_MARKS, settingsReference());
}

/** Every setting by its section, as Markdown. */
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
    `${help}${also === "" ? "" : ` Everything under ${also} stands there, too, in \`${name}.*.context\` and \`${name}.*.reasoning\`.`}`,
    "",
    "| setting | takes | default | what it does |",
    "|---|---|---|---|",
    ...rows,
  ].join("\n");
}

/** The section whose setting this one says again for a narrower place, in the same words. */
function widerSection({ path, help }: Setting): string | undefined {
  const wider = path.replace(/^(?:profiles|routes)\.\*\./, "");
  const same = listSettings().find((setting) => setting.path === wider && setting.help === help);
  return wider === path ? undefined : same?.group;
}

function describeRow({ path, schema, default: preset, help, variable, needsRestart, isSecret }: Setting): string {
  const notes = [
    ...(variable === undefined ? [] : [`Variable: \`${variable}\`.`]),
    ...(isSecret ? ["Secret."] : []),
    ...(needsRestart ? ["Read at the start."] : []),
  ];
  const cells = [
    `\`${path}\``,
    spellType(schema),
    preset === undefined ? "–" : code(preset),
    [help, ...notes].join(" "),
  ];
  return `| ${cells.map((cell) => cell.replaceAll("|", "\\|")).join(" | ")} |`;
}

function code(value: JsonValue): string {
  return `\`${typeof value === "string" ? value : JSON.stringify(value)}\``;
}

function spellType(schema: JsonObject): string {
  const { type, enum: values, const: only, anyOf, items } = schema;
  if (values !== undefined && isJsonArray(values)) return values.map(code).join(", ");
  if (only !== undefined) return code(only);
  if (anyOf !== undefined && isJsonArray(anyOf)) return anyOf.filter(isJsonObject).map(spellType).join(" or ");
  if (type === "array") return `list of ${isJsonObject(items) && items.type === "object" ? "objects" : "texts"}`;
  if (type === "integer" || type === "number") return spellNumber(schema);
  return { string: "text", boolean: "`true`, `false`", object: "object" }[String(type)] ?? String(type);
}

function spellNumber({ minimum, maximum, exclusiveMinimum }: JsonObject): string {
  const from = minimum ?? exclusiveMinimum;
  const to = typeof maximum === "number" && maximum < Number.MAX_SAFE_INTEGER ? maximum : undefined;
  if (typeof from !== "number" || from <= Number.MIN_SAFE_INTEGER) return "number";
  if (to !== undefined) return `number, ${from} to ${to}`;
  return minimum === undefined ? `number over ${from}` : `number from ${from}`;
}

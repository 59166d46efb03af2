import { describeSettings, STRATEGIES, type Strategy } from "@longhaul/condense/advanced";
import { isJsonObject, type JsonObject, type JsonValue, parseJsonText } from "@longhaul/conversation/advanced";
import { z } from "zod";
import { variableOf } from "../environment/environment-overrides.ts";
import { configSchema } from "./config.ts";
import { formatPath, type Path, parsePath } from "./path.ts";

/** One setting, derived from the configuration's schema. */
export interface Setting {
  /** With `*` for a user-defined name or an index in a list: `profiles.*.context.threshold`. */
  readonly path: string;
  /** Its top-level section. */
  readonly group: string;
  readonly help: string;
  /** JSON Schema of its values. */
  readonly schema: JsonObject;
  /** Absent if it has none, or inherits a wider setting. */
  readonly default?: JsonValue;
  /** Whether its values are never shown. */
  readonly isSecret: boolean;
  /** Whether a change takes effect only after a restart. */
  readonly needsRestart: boolean;
  /** The path that it is stored under: the whole list's, for a setting in a list. Absent if it cannot be stored. */
  readonly storedAs?: string;
  readonly variable?: string;
}

/** A top-level section of the configuration. */
export interface SettingGroup {
  readonly name: string;
  readonly help: string;
}

/** Returns every setting, in the order of the configuration. */
export function listSettings(): readonly Setting[] {
  return schemaIndex().settings;
}

/** Returns every top-level section. */
export function listSettingGroups(): readonly SettingGroup[] {
  return schemaIndex().groups;
}

/** Returns the setting at a path, or undefined for a section and an unknown path. */
export function findSetting(path: Path): Setting | undefined {
  return schemaIndex().patterns.find(
    ([names]) => names.length === path.length && names.every((name, at) => name === "*" || name === String(path[at])),
  )?.[1];
}

interface SchemaIndex {
  readonly settings: readonly Setting[];
  readonly groups: readonly SettingGroup[];
  readonly patterns: readonly (readonly [Path, Setting])[];
}

let index: SchemaIndex | undefined;

/** Built on first use: it takes a tenth of a gateway's startup time, which does not need it. */
function schemaIndex(): SchemaIndex {
  index ??= readSchema();
  return index;
}

function readSchema(): SchemaIndex {
  const schema = jsonSchemaOf(configSchema);
  const strategies = new Map(STRATEGIES.map((strategy) => [strategy.id, strategySchemaOf(strategy)]));
  const settings = settingsIn(schema, { path: [], strategies });
  return {
    settings,
    groups: Object.entries(objectIn(schema.properties)).map(([name, inner]) => ({ name, help: helpIn(inner) })),
    patterns: settings.map((setting) => [parsePath(setting.path), setting]),
  };
}

/** Returns the setting at a path, or the one whose value contains it. */
export function settingAround(path: Path): Setting | undefined {
  const lengths = Array.from({ length: path.length }, (_, offset) => path.length - offset);
  return lengths.map((length) => findSetting(path.slice(0, length))).find((setting) => setting !== undefined);
}

/** Returns the JSON Schema of a strategy's settings. A schema library without JSON Schema gives any object. */
function strategySchemaOf({ id, schema }: Strategy): JsonObject {
  if (schema instanceof z.core.$ZodType) return jsonSchemaOf(schema);
  const json = schema["~standard"].jsonSchema?.input({ target: "draft-2020-12" }) ?? { type: "object" };
  return describeSettings(id, objectIn(parseJsonText(JSON.stringify(json))));
}

function jsonSchemaOf(schema: z.core.$ZodType): JsonObject {
  const json: JsonValue = parseJsonText(JSON.stringify(z.toJSONSchema(schema, { io: "input" })));
  return objectIn(json);
}

function objectIn(value: JsonValue | undefined): JsonObject {
  return isJsonObject(value) ? value : {};
}

function helpIn(schema: JsonValue): string {
  const { description } = objectIn(schema);
  return typeof description === "string" ? description : "";
}

interface SchemaPosition {
  readonly path: readonly string[];
  readonly list?: string;
  /** The strategies' own schemas, which are more precise than the configuration's. */
  readonly strategies: ReadonlyMap<string, JsonObject>;
}

function settingsIn(schema: JsonObject, place: SchemaPosition): Setting[] {
  const { properties, additionalProperties, items } = schema;
  const below = (name: string): SchemaPosition => ({ ...place, path: [...place.path, name] });
  if (isJsonObject(properties)) {
    return Object.entries(properties).flatMap(([name, inner]) => settingsIn(objectIn(inner), below(name)));
  }
  const named = objectIn(additionalProperties);
  if (named.type === "object") return settingsIn(named, below("*"));
  const setting = settingOf(schema, place);
  const item = objectIn(items);
  if (!isJsonObject(item.properties)) return [setting];
  return [setting, ...settingsIn(item, { ...below("*"), list: setting.path })];
}

function settingOf(schema: JsonObject, { path, list, strategies }: SchemaPosition): Setting {
  const { description: _, default: preset, writeOnly, ...rest } = schema;
  const { "x-at-start": atStart, "x-not-stored": notStored, ...type } = rest;
  const text = formatPath(path);
  const variable = variableOf(text);
  const [group = ""] = path;
  return {
    path: text,
    group,
    help: helpIn(schema),
    schema: (path.at(-2) === "strategies" ? strategies.get(path.at(-1) ?? "") : undefined) ?? type,
    ...(preset !== undefined && { default: preset }),
    isSecret: writeOnly === true,
    needsRestart: atStart === true,
    ...(notStored !== true && { storedAs: list ?? text }),
    ...(variable !== undefined && { variable }),
  };
}

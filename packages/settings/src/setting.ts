import { STRATEGIES } from "@longhaul/condense";
import { isJsonObject, type JsonObject, type JsonValue } from "@longhaul/conversation";
import { z } from "zod";
import { configSchema } from "./config.ts";
import { variableOf } from "./environment-overrides.ts";
import { type Path, parsePath, spellPath } from "./path.ts";

/** One setting, as its schema tells of it. */
export interface Setting {
  /** With `*` for a name of the user's own, or a place in a list: `profiles.*.context.threshold`. */
  readonly path: string;
  /** The section of the configuration that it belongs to. */
  readonly group: string;
  readonly help: string;
  /** What its values may be, as JSON Schema. */
  readonly schema: JsonObject;
  /** Absent where it has none: then nothing, or a wider setting, holds. */
  readonly default?: JsonValue;
  /** Whether its values are never shown. */
  readonly isSecret: boolean;
  /** Whether a change takes effect only after a restart. */
  readonly needsRestart: boolean;
  /** The path under which it is stored: that of the whole list for what stands in one. Absent where it cannot be stored. */
  readonly storedAs?: string;
  /** The environment variable that sets it. */
  readonly variable?: string;
}

const CONFIG_SCHEMA = jsonSchemaOf(configSchema);
const STRATEGY_SCHEMAS = new Map(STRATEGIES.map(({ id, schema }) => [id, jsonSchemaOf(schema)]));

/** Every setting there is, in the order of the configuration. */
export const SETTINGS: readonly Setting[] = settingsIn(CONFIG_SCHEMA, []);

/** A section of the configuration and what it is about. */
export const SETTING_GROUPS: readonly { readonly name: string; readonly help: string }[] = Object.entries(
  objectIn(CONFIG_SCHEMA.properties),
).map(([name, schema]) => ({ name, help: helpIn(schema) }));

/** The setting at a place; nothing where there is none, or only a section. */
export function findSetting(path: Path): Setting | undefined {
  return PATTERNS.find(
    ([names]) => names.length === path.length && names.every((name, at) => name === "*" || name === String(path[at])),
  )?.[1];
}

const PATTERNS = SETTINGS.map((setting) => [parsePath(setting.path), setting] as const);

/** The setting that holds a place: itself, or one whose value has parts. */
export function settingAround(path: Path): Setting | undefined {
  const lengths = Array.from({ length: path.length }, (_, index) => path.length - index);
  return lengths.map((length) => findSetting(path.slice(0, length))).find((setting) => setting !== undefined);
}

function jsonSchemaOf(schema: z.ZodType): JsonObject {
  const spelled: JsonValue = JSON.parse(JSON.stringify(z.toJSONSchema(schema, { io: "input" })));
  return objectIn(spelled);
}

function objectIn(value: JsonValue | undefined): JsonObject {
  return isJsonObject(value) ? value : {};
}

function helpIn(schema: JsonValue): string {
  const { description } = objectIn(schema);
  return typeof description === "string" ? description : "";
}

/** Sections are walked through; what is left are the settings. */
function settingsIn(schema: JsonObject, path: readonly string[], list?: string): Setting[] {
  const { properties, additionalProperties, items } = schema;
  if (isJsonObject(properties)) {
    return Object.entries(properties).flatMap(([name, inner]) => settingsIn(objectIn(inner), [...path, name], list));
  }
  const named = objectIn(additionalProperties);
  if (named.type === "object") return settingsIn(named, [...path, "*"], list);
  const setting = settingOf(schema, path, list);
  const item = objectIn(items);
  return isJsonObject(item.properties) ? [setting, ...settingsIn(item, [...path, "*"], setting.path)] : [setting];
}

function settingOf(schema: JsonObject, path: readonly string[], list: string | undefined): Setting {
  const { description: _, default: preset, writeOnly, ...rest } = schema;
  const { "x-at-start": atStart, "x-not-stored": notStored, ...type } = rest;
  const spelled = spellPath(path);
  const variable = variableOf(spelled);
  const [group = ""] = path;
  return {
    path: spelled,
    group,
    help: helpIn(schema),
    schema: strategySchema(path) ?? type,
    ...(preset !== undefined && { default: preset }),
    isSecret: writeOnly === true,
    needsRestart: atStart === true,
    ...(notStored !== true && { storedAs: list ?? spelled }),
    ...(variable !== undefined && { variable }),
  };
}

/** A strategy knows its settings better than the place where they are kept. */
function strategySchema(path: readonly string[]): JsonObject | undefined {
  return path.at(-2) === "strategies" ? STRATEGY_SCHEMAS.get(path.at(-1) ?? "") : undefined;
}

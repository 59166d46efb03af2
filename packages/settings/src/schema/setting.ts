import { STRATEGIES } from "@longhaul/condense";
import { isJsonObject, type JsonObject, type JsonValue, parseJsonText } from "@longhaul/conversation";
import { z } from "zod";
import { variableOf } from "../environment/environment-overrides.ts";
import { configSchema } from "./config.ts";
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

/** A section of the configuration and what it is about. */
export interface SettingGroup {
  readonly name: string;
  readonly help: string;
}

/** Every setting there is, in the order of the configuration. */
export function listSettings(): readonly Setting[] {
  return schemaTells().settings;
}

/** Every section of the configuration. */
export function listSettingGroups(): readonly SettingGroup[] {
  return schemaTells().groups;
}

/** The setting at a place; nothing where there is none, or only a section. */
export function findSetting(path: Path): Setting | undefined {
  return schemaTells().patterns.find(
    ([names]) => names.length === path.length && names.every((name, at) => name === "*" || name === String(path[at])),
  )?.[1];
}

interface Told {
  readonly settings: readonly Setting[];
  readonly groups: readonly SettingGroup[];
  readonly patterns: readonly (readonly [Path, Setting])[];
}

let told: Told | undefined;

/** Read when it is first asked for: it takes a tenth of the time in which a gateway starts, which needs none of it. */
function schemaTells(): Told {
  told ??= readSchema();
  return told;
}

function readSchema(): Told {
  const schema = jsonSchemaOf(configSchema);
  const strategies = new Map(STRATEGIES.map((strategy) => [strategy.id, jsonSchemaOf(strategy.schema)]));
  const settings = settingsIn(schema, { path: [], strategies });
  return {
    settings,
    groups: Object.entries(objectIn(schema.properties)).map(([name, inner]) => ({ name, help: helpIn(inner) })),
    patterns: settings.map((setting) => [parsePath(setting.path), setting]),
  };
}

/** The setting that holds a place: itself, or one whose value has parts. */
export function settingAround(path: Path): Setting | undefined {
  const lengths = Array.from({ length: path.length }, (_, index) => path.length - index);
  return lengths.map((length) => findSetting(path.slice(0, length))).find((setting) => setting !== undefined);
}

function jsonSchemaOf(schema: z.ZodType): JsonObject {
  const spelled: JsonValue = parseJsonText(JSON.stringify(z.toJSONSchema(schema, { io: "input" })));
  return objectIn(spelled);
}

function objectIn(value: JsonValue | undefined): JsonObject {
  return isJsonObject(value) ? value : {};
}

function helpIn(schema: JsonValue): string {
  const { description } = objectIn(schema);
  return typeof description === "string" ? description : "";
}

/** A place in the schema. */
interface Place {
  readonly path: readonly string[];
  /** The list that it stands in. */
  readonly list?: string;
  /** A strategy knows its settings better than the place where they are kept. */
  readonly strategies: ReadonlyMap<string, JsonObject>;
}

/** Sections are walked through; what is left are the settings. */
function settingsIn(schema: JsonObject, place: Place): Setting[] {
  const { properties, additionalProperties, items } = schema;
  const below = (name: string): Place => ({ ...place, path: [...place.path, name] });
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

function settingOf(schema: JsonObject, { path, list, strategies }: Place): Setting {
  const { description: _, default: preset, writeOnly, ...rest } = schema;
  const { "x-at-start": atStart, "x-not-stored": notStored, ...type } = rest;
  const spelled = spellPath(path);
  const variable = variableOf(spelled);
  const [group = ""] = path;
  return {
    path: spelled,
    group,
    help: helpIn(schema),
    schema: (path.at(-2) === "strategies" ? strategies.get(path.at(-1) ?? "") : undefined) ?? type,
    ...(preset !== undefined && { default: preset }),
    isSecret: writeOnly === true,
    needsRestart: atStart === true,
    ...(notStored !== true && { storedAs: list ?? spelled }),
    ...(variable !== undefined && { variable }),
  };
}

import { checkValue, isJsonObject, type JsonValue } from "@longhaul/conversation/advanced";
import { environmentConfig, unusedUrls } from "../environment/environment-config.ts";
import { environmentEntries, readBoolean } from "../environment/environment-overrides.ts";
import { type Environment, type Interpolated, interpolate } from "../environment/interpolate.ts";
import { type Config, configSchema } from "../schema/config.ts";
import { migrateConfig } from "../schema/migrate-config.ts";
import { formatPath, isWithin, type Path, parsePath, valueAt, withValue } from "../schema/path.ts";
import { dropInvalid } from "./drop-invalid.ts";
import { type Origin, type OriginEntry, type Origins, originsOf, settingPaths } from "./origins.ts";
import { checkStorable } from "./storable.ts";
import { type Fault, faultSentence, formatFault, invalidSettings, validateConfig } from "./validate-config.ts";

/** Values of settings, by path. */
export type SettingValues = Readonly<Record<string, JsonValue>>;

/** The sources of settings. Later ones override earlier ones. */
export interface SettingLayers {
  /** Defaults that depend on the machine. */
  readonly defaults?: SettingValues;
  /** The file's content. Without a file, the environment defines the upstreams. */
  readonly file?: unknown;
  readonly environment?: Environment;
  readonly stored?: SettingValues;
  readonly flags?: SettingValues;
  /** Throws further faults of a valid configuration. */
  readonly check?: (config: Config) => void;
}

/** A stored value that is ignored, with the reason. */
export interface LeftOut {
  readonly path: string;
  readonly why: string;
  /** The setting at fault, if this one is ignored because it depends on it. */
  readonly at?: string;
}

/** The merged settings. */
export interface LayeredSettings {
  readonly config: Config;
  readonly origins: Origins;
  readonly hasStored: boolean;
  readonly leftOut: readonly LeftOut[];
  readonly warnings: readonly string[];
}

/** Merges all layers. Faults of file, environment or flags throw `settings.invalid`; an invalid stored value is ignored. */
export function layerSettings(layers: SettingLayers): LayeredSettings {
  const lay = prepare(layers);
  const judge = (stored: readonly Entry[]) => validateConfig(lay.value(stored), layers.check).faults;
  const faults = lay.faults(judge([]));
  if (faults.length > 0) throw invalidSettings("the configuration", faults);
  const { entries, unfit } = readStored(layers.stored ?? {});
  const { kept, leftOut } = dropInvalid(entries, judge);
  const { config } = validateConfig(lay.value(kept));
  if (config === undefined) throw invalidSettings("the configuration", lay.faults(judge(kept)));
  const all: readonly LeftOut[] = [
    ...unfit,
    ...leftOut.map(({ entry, why, at }) => ({
      path: formatPath(entry.path),
      why,
      ...(at === undefined ? {} : { at: formatPath(at) }),
    })),
  ];
  const origins = originsOf(() => lay.given(kept));
  return {
    config,
    origins,
    hasStored: kept.some(({ path }) => origins.of(path) === "stored"),
    leftOut: all,
    warnings: [
      ...(layers.file === undefined ? [] : unusedUrls(layers.environment ?? {}, layers.file).map(describeUnused)),
      ...lay.changes.map((change) => `the configuration file has version 1: ${change}`),
      ...all.map(
        ({ path, why, at = "" }) =>
          `the stored setting ${path} is ignored: ${faultSentence({ path: at, message: why })}`,
      ),
    ],
  };
}

function describeUnused(variable: string): string {
  return `${variable} has no effect, because the configuration file sets the upstreams; set baseUrl there, for example to "\${${variable}}"`;
}

interface Entry extends OriginEntry {
  readonly value: JsonValue;
  readonly variable?: string;
}

/** Prepares all layers except the stored one, which is between them. */
function prepare({ file, environment = {}, defaults = {}, flags = {} }: SettingLayers) {
  const content = file === undefined ? environmentConfig(environment) : file;
  const { value: base, missing, changes } = readFile(content, environment);
  const variables = environmentEntries(environment).map(({ path, ...entry }) => ({
    ...entry,
    path: parsePath(path),
    origin: "environment" as const,
  }));
  const below = variables.filter(({ isFinal }) => !isFinal);
  const above: readonly Entry[] = [...entriesOf(flags, "flag"), ...variables.filter(({ isFinal }) => isFinal)];
  const entries = (stored: readonly Entry[]): readonly Entry[] => [...below, ...stored, ...above];
  const written = () =>
    settingPaths(base).map((path) => ({ path, origin: file === undefined ? "environment" : "file" }) as const);
  return {
    changes,
    value: (stored: readonly Entry[]) => withDefaults(overlay(base, entries(stored)), defaults),
    given: (stored: readonly Entry[]): readonly OriginEntry[] => [...written(), ...entries(stored)],
    faults: (judged: readonly Fault[]) => {
      // The value of a missing variable is not reported a second time.
      const absent = missing.filter(({ path }) => !entries([]).some((entry) => formatPath(entry.path) === path));
      return [
        ...absent.map(
          ({ path, name }) => `${path}: the variable ${name} is not set; set it or write \${${name}:-default}`,
        ),
        ...judged
          .filter((fault) => !absent.some(({ path }) => fault.path.join(".") === path))
          .map((fault) => `${formatFault(fault)}${sourceOf(fault, variables)}`),
      ];
    },
  };
}

function sourceOf({ path }: Fault, variables: readonly Entry[]): string {
  const found = variables.find((entry) => path.length > 0 && isWithin(path, entry.path));
  return found === undefined ? "" : ` (set by ${found.variable})`;
}

function entriesOf(values: SettingValues, origin: Origin): Entry[] {
  return Object.entries(values).map(([path, value]) => ({ path: parsePath(path), value, origin }));
}

/** Reads the stored values, without those that cannot be stored. */
function readStored(values: SettingValues): { readonly entries: readonly Entry[]; readonly unfit: readonly LeftOut[] } {
  const checked = Object.entries(values).map(([path, value]) => ({ path, value, why: checkStorable(path) }));
  return {
    entries: checked
      .filter(({ why }) => why === undefined)
      .map(({ path, value }) => ({ path: parsePath(path), value, origin: "stored" })),
    unfit: checked.flatMap(({ path, why }) => (why === undefined ? [] : [{ path, why }])),
  };
}

/** Leaves a base that is not an object to the schema. */
function overlay(base: unknown, entries: readonly Entry[]): unknown {
  if (!isJsonObject(base)) return base;
  return entries.reduce<unknown>((value, entry) => withValue(value, entry.path, entry.value), base);
}

function withDefaults(value: unknown, defaults: SettingValues): unknown {
  const missing = entriesOf(defaults, "default").filter(({ path }) => valueAt(value, path) === undefined);
  return overlay(value, missing);
}

/** Reads the content of a configuration file. Throws `settings.invalid` with every invalid key and every variable that is not set. */
export function parseConfig(file: unknown, environment: Environment): Config {
  return layerSettings({ file: file ?? null, environment }).config;
}

/** A file's content in the current version, with its variables replaced. */
export interface FileLayer extends Interpolated {
  /** Keys of an earlier version that were read under another name. */
  readonly changes: readonly string[];
}

/** Upgrades a file's content to the current version and replaces its variables. */
export function readFile(file: unknown, environment: Environment): FileLayer {
  const { value: written, changes } = migrateConfig(withoutSchema(file ?? {}));
  const { value, missing } = interpolate(written, environment);
  return { value: coerceVariables(value, written), missing, changes };
}

/** JSON files may name their schema for editors. */
function withoutSchema(file: unknown): unknown {
  if (!isJsonObject(file)) return file;
  const { $schema: _, ...config } = file;
  return config;
}

/** Converts variables, which are always strings, to numbers and booleans where the schema expects them. */
function coerceVariables(filled: unknown, written: unknown): unknown {
  const issues = checkValue(configSchema, filled).error?.issues ?? [];
  return issues
    .filter(({ code, path }) => TYPE_FAULTS.has(code ?? "") && holdsVariable(written, path))
    .reduce((value, issue) => withValue(value, issue.path, coerced(valueAt(value, issue.path), issue)), filled);
}

const TYPE_FAULTS = new Set(["invalid_type", "invalid_union"]);

function holdsVariable(written: unknown, path: Path): boolean {
  const value = valueAt(written, path);
  return typeof value === "string" && value.includes("${");
}

function coerced(value: unknown, issue: object): unknown {
  if (typeof value !== "string") return value;
  const isNumber = /^-?\d+(?:\.\d+)?$/.test(value);
  const wantsBoolean = "expected" in issue && issue.expected === "boolean";
  return isNumber && !wantsBoolean ? Number(value) : readBoolean(value);
}

import { isJsonObject, type JsonValue } from "@longhaul/conversation";
import { environmentConfig } from "../environment/environment-config.ts";
import { environmentEntries } from "../environment/environment-overrides.ts";
import type { Environment } from "../environment/interpolate.ts";
import type { Config } from "../schema/config.ts";
import { isWithin, parsePath, spellPath, valueAt, withValue } from "../schema/path.ts";
import { type Fault, faultSentence, invalidSettings, judgeConfig, spellFault } from "./judge-config.ts";
import { leaveOut } from "./leave-out.ts";
import { type Given, type Origin, type Origins, originsOf, placesIn } from "./origins.ts";
import { readFile } from "./read-file.ts";
import { checkStorable } from "./storable.ts";

/** Values of single settings, by path. */
export type SettingValues = Readonly<Record<string, JsonValue>>;

/** Everybody who may set something. Later ones go before earlier ones. */
export interface SettingLayers {
  /** Defaults that depend on the machine. */
  readonly defaults?: SettingValues;
  /** What stands in the file. Without one, the environment names the upstreams. */
  readonly file?: unknown;
  readonly environment?: Environment;
  readonly stored?: SettingValues;
  readonly flags?: SettingValues;
  /** Throws what else is wrong with a configuration that is otherwise good. */
  readonly check?: (config: Config) => void;
}

/** A stored value that is not used, and why. */
export interface LeftOut {
  readonly path: string;
  readonly why: string;
  /** What is wrong, where that is another setting without which this one cannot be used. */
  readonly at?: string;
}

/** What all layers come to. */
export interface LayeredSettings {
  readonly config: Config;
  readonly origins: Origins;
  /** Whether anything that is stored holds. */
  readonly hasStored: boolean;
  readonly leftOut: readonly LeftOut[];
  /** What the operator is to be told: keys of earlier versions, stored values that are not used. */
  readonly warnings: readonly string[];
}

/**
 * Lays all settings over each other. What is wrong with file, environment or flags throws `settings.invalid` naming every bad key; a stored
 * value that is wrong is left out.
 */
export function layerSettings(layers: SettingLayers): LayeredSettings {
  const lay = prepare(layers);
  const judge = (stored: readonly Entry[]) => judgeConfig(lay.value(stored), layers.check).faults;
  const faults = lay.faults(judge([]));
  if (faults.length > 0) throw invalidSettings("the configuration", faults);
  const { entries, unfit } = readStored(layers.stored ?? {});
  const { kept, leftOut } = leaveOut(entries, judge);
  const { config } = judgeConfig(lay.value(kept));
  if (config === undefined) throw invalidSettings("the configuration", lay.faults(judge(kept)));
  const all: readonly LeftOut[] = [
    ...unfit,
    ...leftOut.map(({ entry, why, at }) => ({
      path: spellPath(entry.path),
      why,
      ...(at === undefined ? {} : { at: spellPath(at) }),
    })),
  ];
  const origins = originsOf(() => lay.given(kept));
  return {
    config,
    origins,
    hasStored: kept.some(({ path }) => origins.of(path) === "stored"),
    leftOut: all,
    warnings: [
      ...lay.changes.map((change) => `the file is of version 1: ${change}`),
      ...all.map(
        ({ path, why, at = "" }) =>
          `the stored setting ${path} is left out: ${faultSentence({ path: at, message: why })}`,
      ),
    ],
  };
}

interface Entry extends Given {
  readonly value: JsonValue;
  readonly variable?: string;
}

/** All layers but the stored one, which may lie between them. */
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
    placesIn(base).map((path) => ({ path, origin: file === undefined ? "environment" : "file" }) as const);
  return {
    changes,
    value: (stored: readonly Entry[]) => withDefaults(overlay(base, entries(stored)), defaults),
    given: (stored: readonly Entry[]): readonly Given[] => [...written(), ...entries(stored)],
    faults: (judged: readonly Fault[]) => {
      // What a variable would have been is not judged where it is not set.
      const absent = missing.filter(({ path }) => !entries([]).some((entry) => spellPath(entry.path) === path));
      return [
        ...absent.map(
          ({ path, name }) => `${path}: the variable ${name} is not set; set it or write \${${name}:-default}`,
        ),
        ...judged
          .filter((fault) => !absent.some(({ path }) => fault.path.join(".") === path))
          .map((fault) => `${spellFault(fault)}${sourceOf(fault, variables)}`),
      ];
    },
  };
}

function sourceOf({ path }: Fault, variables: readonly Entry[]): string {
  const found = variables.find((entry) => path.length > 0 && isWithin(path, entry.path));
  return found === undefined ? "" : ` (as ${found.variable} says)`;
}

function entriesOf(values: SettingValues, origin: Origin): Entry[] {
  return Object.entries(values).map(([path, value]) => ({ path: parsePath(path), value, origin }));
}

/** What is stored, without what cannot be. */
function readStored(values: SettingValues): { readonly entries: readonly Entry[]; readonly unfit: readonly LeftOut[] } {
  const judged = Object.entries(values).map(([path, value]) => ({ path, value, why: checkStorable(path) }));
  return {
    entries: judged
      .filter(({ why }) => why === undefined)
      .map(({ path, value }) => ({ path: parsePath(path), value, origin: "stored" })),
    unfit: judged.flatMap(({ path, why }) => (why === undefined ? [] : [{ path, why }])),
  };
}

/** What is no object is for the schema to refuse. */
function overlay(base: unknown, entries: readonly Entry[]): unknown {
  if (!isJsonObject(base)) return base;
  return entries.reduce<unknown>((value, entry) => withValue(value, entry.path, entry.value), base);
}

function withDefaults(value: unknown, defaults: SettingValues): unknown {
  const missing = entriesOf(defaults, "default").filter(({ path }) => valueAt(value, path) === undefined);
  return overlay(value, missing);
}

/** Reads a configuration as it stands in a file. Throws `settings.invalid` naming every bad key and every variable that is not set. */
export function parseConfig(file: unknown, environment: Environment): Config {
  return layerSettings({ file: file ?? null, environment }).config;
}

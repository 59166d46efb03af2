import {
  checkValue,
  isJsonObject,
  type JsonObject,
  type JsonValue,
  ownValue,
  table,
} from "@longhaul/conversation/advanced";
import type { Config } from "../schema/config.ts";
import { contextOverrides } from "../schema/context-config.ts";
import { formatPath } from "../schema/path.ts";
import { parseFile } from "./json-file.ts";

/** Reads the condensing settings of a file that Roo Code exported as changes of ours. Profiles are matched by id or name. */
export function importRoo(text: string, config: Config) {
  const file = objectIn(parseFile(text, "the file"));
  const settings = isJsonObject(file.globalSettings) ? file.globalSettings : file;
  const find = profileFinder(objectIn(objectIn(file.providerProfiles).apiConfigs), config);
  const taken = [
    ...sameSetting(settings, "autoCondenseContext", "auto"),
    ...sameSetting(settings, "autoCondenseContextPercent", "threshold"),
    ...sameSetting(settings, "customCondensingPrompt", "prompt"),
    ...summarizer(settings, find, config),
    ...thresholds(settings, find),
  ];
  return {
    entries: taken.flatMap(({ path, value }) => (path === undefined ? [] : [{ path, value }])),
    leftOut: taken.flatMap(({ key, path, why }) => (path === undefined ? [{ key, why }] : [])),
  };
}

type Converted =
  | { readonly key: string; readonly path: string; readonly value: JsonValue; readonly why?: undefined }
  | { readonly key: string; readonly path?: undefined; readonly value?: undefined; readonly why: string };

/** Returns our profile for the id of one of Roo Code's. */
type FindProfile = (id: string) => string | undefined;

function objectIn(value: unknown): JsonObject {
  return isJsonObject(value) ? value : {};
}

/** Converts a setting that both have. Roo Code stores an empty prompt for its default. */
function sameSetting(settings: JsonObject, key: string, name: "auto" | "threshold" | "prompt"): Converted[] {
  const { [key]: value } = settings;
  if (value === undefined || value === null || value === "") return [];
  return [validated({ key, path: `context.${name}`, name }, value)];
}

interface SettingPosition {
  readonly key: string;
  readonly path: string;
  readonly name: "auto" | "threshold" | "prompt";
}

function validated({ key, path, name }: SettingPosition, value: JsonValue): Converted {
  const { error } = checkValue(contextOverrides, { [name]: value });
  if (error === undefined) return { key, path, value };
  return { key, why: `${JSON.stringify(value)} is not ${EXPECTED[name]}` };
}

const EXPECTED = table({ auto: "true or false", threshold: "-1 or a number from 5 to 100", prompt: "a string" });

function summarizer({ condensingApiConfigId: id }: JsonObject, find: FindProfile, { profiles }: Config): Converted[] {
  if (typeof id !== "string" || id === "") return [];
  const key = "condensingApiConfigId";
  const name = find(id);
  if (name === undefined) return [{ key, why: noProfile(id) }];
  const { upstream, model } = ownValue(profiles, name) ?? {};
  if (upstream !== undefined && model !== undefined) return [{ key, path: "context.summarizer", value: name }];
  return [{ key, why: `profile "${name}" needs an upstream and a model to write summaries` }];
}

function thresholds({ profileThresholds }: JsonObject, find: FindProfile): Converted[] {
  return Object.entries(objectIn(profileThresholds)).map(([id, value]) => {
    const key = `profileThresholds.${id}`;
    const name = find(id);
    if (name === undefined) return { key, why: noProfile(id) };
    return validated({ key, path: `${formatPath(["profiles", name])}.context.threshold`, name: "threshold" }, value);
  });
}

function noProfile(id: string): string {
  return `no profile is named after Roo Code's profile "${id}"; create one with its ID or name, then import again`;
}

/** Matches names after replacing characters that our names cannot contain with a dash. */
function profileFinder(there: JsonObject, { profiles }: Config): FindProfile {
  const normalized = (name: string) => name.replace(/[^\w.-]+/g, "-").toLowerCase();
  const here = Object.keys(profiles);
  return (id) => {
    const names = Object.entries(there).flatMap(([name, inner]) => (objectIn(inner).id === id ? [name] : []));
    const wanted = new Set([id, ...names].map(normalized));
    return here.find((name) => name === id) ?? here.find((name) => wanted.has(normalized(name)));
  };
}

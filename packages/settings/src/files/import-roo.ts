import { checkValue, isJsonObject, type JsonObject, type JsonValue, ownValue, table } from "@longhaul/conversation";
import type { SettingEntry } from "../layers/storable.ts";
import type { Config } from "../schema/config.ts";
import { contextOverrides } from "../schema/context-config.ts";
import { spellPath } from "../schema/path.ts";
import { parseFile } from "./json-file.ts";

/** What Roo Code's settings come to here. */
export interface ImportedRoo {
  /** What to change. */
  readonly entries: readonly SettingEntry[];
  /** Keys that could not be taken over, and why. */
  readonly leftOut: readonly { readonly key: string; readonly why: string }[];
}

/**
 * Reads the settings about condensing in a file that Roo Code exported, or in one with those keys alone: autoCondenseContext,
 * autoCondenseContextPercent, condensingApiConfigId, customCondensingPrompt, profileThresholds. Profiles are known again by id or name.
 */
export function importRoo(text: string, config: Config): ImportedRoo {
  const file = objectIn(parseFile(text, "the file"));
  const settings = isJsonObject(file.globalSettings) ? file.globalSettings : file;
  const find = profileFinder(objectIn(objectIn(file.providerProfiles).apiConfigs), config);
  const taken = [
    ...plain(settings, "autoCondenseContext", "auto"),
    ...plain(settings, "autoCondenseContextPercent", "threshold"),
    ...plain(settings, "customCondensingPrompt", "prompt"),
    ...summarizer(settings, find, config),
    ...thresholds(settings, find),
  ];
  return {
    entries: taken.flatMap(({ path, value }) => (path === undefined ? [] : [{ path, value }])),
    leftOut: taken.flatMap(({ key, path, why }) => (path === undefined ? [{ key, why }] : [])),
  };
}

type Taken =
  | { readonly key: string; readonly path: string; readonly value: JsonValue; readonly why?: undefined }
  | { readonly key: string; readonly path?: undefined; readonly value?: undefined; readonly why: string };

/** The profile here that a profile there is, by its id. */
type FindProfile = (id: string) => string | undefined;

function objectIn(value: unknown): JsonObject {
  return isJsonObject(value) ? value : {};
}

/** What says the same in both. Roo keeps an empty prompt for "no prompt of my own". */
function plain(settings: JsonObject, key: string, name: "auto" | "threshold" | "prompt"): Taken[] {
  const { [key]: value } = settings;
  if (value === undefined || value === null || value === "") return [];
  return [judged({ key, path: `context.${name}`, name }, value)];
}

interface Place {
  readonly key: string;
  readonly path: string;
  readonly name: "auto" | "threshold" | "prompt";
}

function judged({ key, path, name }: Place, value: JsonValue): Taken {
  const { error } = checkValue(contextOverrides, { [name]: value });
  if (error === undefined) return { key, path, value };
  return { key, why: `${JSON.stringify(value)} is not ${TAKES[name]}` };
}

const TAKES = table({ auto: "true or false", threshold: "-1, or a number from 5 to 100", prompt: "a text" });

function summarizer({ condensingApiConfigId: id }: JsonObject, find: FindProfile, { profiles }: Config): Taken[] {
  if (typeof id !== "string" || id === "") return [];
  const key = "condensingApiConfigId";
  const name = find(id);
  if (name === undefined) return [{ key, why: noProfile(id) }];
  const { upstream, model } = ownValue(profiles, name) ?? {};
  if (upstream !== undefined && model !== undefined) return [{ key, path: "context.summarizer", value: name }];
  return [{ key, why: `the profile "${name}" needs an upstream and a model to write summaries` }];
}

function thresholds({ profileThresholds }: JsonObject, find: FindProfile): Taken[] {
  return Object.entries(objectIn(profileThresholds)).map(([id, value]) => {
    const key = `profileThresholds.${id}`;
    const name = find(id);
    if (name === undefined) return { key, why: noProfile(id) };
    return judged({ key, path: `${spellPath(["profiles", name])}.context.threshold`, name: "threshold" }, value);
  });
}

function noProfile(id: string): string {
  return `there is no profile for "${id}"; make one of its id or name, and import again`;
}

/** Names may hold what none of ours may; a dash stands for that. */
function profileFinder(there: JsonObject, { profiles }: Config): FindProfile {
  const spelled = (name: string) => name.replace(/[^\w.-]+/g, "-").toLowerCase();
  const here = Object.keys(profiles);
  return (id) => {
    const names = Object.entries(there).flatMap(([name, inner]) => (objectIn(inner).id === id ? [name] : []));
    const wanted = new Set([id, ...names].map(spelled));
    return here.find((name) => name === id) ?? here.find((name) => wanted.has(spelled(name)));
  };
}

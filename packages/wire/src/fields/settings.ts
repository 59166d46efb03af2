import {
  isJsonArray,
  isJsonObject,
  type JsonObject,
  type JsonValue,
  type Request,
  type Sampling,
  type WireId,
} from "@longhaul/conversation";
import type { WireDestination } from "../codec/rules.ts";
import { defined, dropNulls, sameValue } from "./json.ts";

/** Everything that a request asks for besides the conversation, side by side. */
export type Settings = Partial<Pick<Request, "model" | "stream">> &
  Pick<Request, "maxOutputTokens" | "toolChoice" | "parallelToolCalls" | "reasoning" | "outputFormat" | "user"> &
  Sampling;

/** One row of a format's table of settings: which fields of the body say what. */
export interface Setting {
  /** The settings that the row reads and writes. */
  readonly names: readonly (keyof Settings)[];
  /** The fields of the body, `outer.inner` for one inside an object that the format opens (see `flatten`). */
  readonly fields: readonly string[];
  /** Reads the fields, none of which is null. Returns undefined if the canonical model cannot express their value. */
  decode(body: JsonObject): Settings | undefined;
  /** The fields that say it. `native` is the client's own flat body, where that is of the same format. */
  encode(settings: Settings, destination: WireDestination, native?: JsonObject): JsonObject;
  /** Whether the target takes the client's own spelling. @default always */
  keeps?(body: JsonObject, destination: WireDestination): boolean;
}

/** What a body asks for, and the fields that no row understood. */
export interface DecodedSettings {
  readonly settings: Settings;
  readonly extra: JsonObject;
}

/** Reads the flat fields of a body row by row. */
export function decodeSettings(table: readonly Setting[], body: JsonObject): DecodedSettings {
  const settings: Settings = {};
  const understood = new Set<string>();
  const said = dropNulls(body);
  for (const row of table) {
    const found = row.decode(said);
    if (found === undefined) continue;
    Object.assign(settings, found);
    for (const field of row.fields) understood.add(field);
  }
  const extra = Object.entries(body).filter(([field]) => !understood.has(field));
  return { settings, extra: Object.fromEntries(extra) };
}

/** What to write for a request, and the flat body that it came in where that was of the same format. */
export interface SettingsToWrite {
  readonly settings: Settings;
  readonly destination: WireDestination;
  readonly native: JsonObject | undefined;
}

/** Writes flat fields row by row; a setting that still says what the client's own fields say is written as the client spelled it. */
export function encodeSettings(
  table: readonly Setting[],
  { settings, destination, native }: SettingsToWrite,
): JsonObject {
  const body: Record<string, JsonValue> = {};
  for (const row of table) {
    const spelled = native !== undefined && keepsNative(row, { settings, destination, native });
    Object.assign(body, spelled ? pick(native, row.fields) : row.encode(settings, destination, native));
  }
  return body;
}

function keepsNative(
  row: Setting,
  { settings, destination, native }: SettingsToWrite & { native: JsonObject },
): boolean {
  const said = row.decode(dropNulls(native));
  if (said === undefined || row.keeps?.(native, destination) === false) return false;
  return row.names.every((name) => sameValue(said[name], settings[name]));
}

/** The settings of a request, side by side. */
export function settingsOf(request: Request): Settings {
  const { conversation: _, sampling, native: _native, extra: _extra, ...rest } = request;
  return { ...rest, ...sampling };
}

/** The fields of a request that settings fill. */
export function requestFields(settings: Settings): Omit<Request, "conversation"> {
  const { temperature, topP, topK, frequencyPenalty, presencePenalty, seed, stopSequences, ...rest } = settings;
  const sampling = { temperature, topP, topK, frequencyPenalty, presencePenalty, seed, stopSequences };
  return { ...rest, model: rest.model ?? "", stream: rest.stream ?? false, sampling: defined(sampling) };
}

/** Puts the fields of the objects named in `opened` beside the others, as `outer.inner`. An empty or absent object stays as it is. */
export function flatten(body: JsonObject, opened: readonly string[]): JsonObject {
  if (!opened.some((key) => isJsonObject(body[key]))) return body;
  const fields = Object.entries(body).flatMap(([key, value]): [string, JsonValue][] => {
    const isOpened = opened.includes(key) && isJsonObject(value) && Object.keys(value).length > 0;
    return isOpened ? Object.entries(value).map(([inner, held]) => [`${key}.${inner}`, held]) : [[key, value]];
  });
  return Object.fromEntries(fields);
}

/** Undoes `flatten`. */
export function unflatten(flat: JsonObject, opened: readonly string[]): JsonObject {
  if (!Object.keys(flat).some((key) => key.includes("."))) return flat;
  const body = new Map<string, JsonValue>();
  for (const [key, value] of Object.entries(flat)) {
    const outer = opened.find((name) => key.startsWith(`${name}.`));
    if (outer === undefined) body.set(key, value);
    else
      body.set(outer, { ...asObject(body.get(outer)), ...Object.fromEntries([[key.slice(outer.length + 1), value]]) });
  }
  return Object.fromEntries(body);
}

/** The settings that one plain JSON value says. */
type PlainName = Exclude<keyof Settings, "toolChoice" | "reasoning" | "outputFormat" | "stream">;

/** A row for a setting that one field says in one plain value. */
export function plainSetting(name: PlainName, field: string, is: (value: JsonValue) => boolean): Setting {
  return {
    names: [name],
    fields: [field],
    decode: (body) => {
      const value = body[field] ?? null;
      if (value === null || (isJsonArray(value) && value.length === 0)) return {};
      return is(value) ? single(name, value) : undefined;
    },
    encode: (settings) => {
      const value: JsonValue | undefined = settings[name];
      return value === undefined ? {} : { [field]: value };
    },
  };
}

/** The row for whether the reply is streamed; left out means no. */
export const STREAM_SETTING: Setting = {
  names: ["stream"],
  fields: ["stream"],
  decode: (body) => ({ stream: body.stream === true }),
  encode: ({ stream }) => (stream === true ? { stream } : {}),
};

function single(name: PlainName, value: JsonValue): Settings;
function single(name: string, value: JsonValue): object {
  return { [name]: value };
}

/** Tells a number. */
export function isNumber(value: JsonValue): value is number {
  return typeof value === "number";
}

/** Tells a string. */
export function isString(value: JsonValue): value is string {
  return typeof value === "string";
}

/** Tells a truth value. */
export function isBoolean(value: JsonValue): value is boolean {
  return typeof value === "boolean";
}

/** Tells a list of strings. */
export function isStrings(value: JsonValue): value is readonly string[] {
  return isJsonArray(value) && value.every(isString);
}

function pick(body: JsonObject, fields: readonly string[]): JsonObject {
  return Object.fromEntries(Object.entries(body).filter(([field]) => fields.includes(field)));
}

function asObject(value: JsonValue | undefined): JsonObject {
  return isJsonObject(value) ? value : {};
}

/** How a format lays out the body of a request. */
export interface BodyLayout {
  readonly wire: WireId;
  readonly settings: readonly Setting[];
  /** The objects whose fields settings name as `outer.inner`. */
  readonly opened: readonly string[];
  /** The fields that hold the conversation. */
  readonly conversation: readonly string[];
}

/** Reads everything of a body but the conversation. */
export function decodeFields(body: JsonObject, layout: BodyLayout): Omit<Request, "conversation"> {
  const { settings, extra } = decodeSettings(layout.settings, flatten(withoutFields(body, layout), layout.opened));
  const fields = { ...requestFields(settings), native: { wire: layout.wire, value: body } };
  return Object.keys(extra).length === 0 ? fields : { ...fields, extra: unflatten(extra, layout.opened) };
}

/** Writes everything of a body but the conversation. */
export function encodeFields(request: Request, layout: BodyLayout, destination: WireDestination): JsonObject {
  const isNative = request.native?.wire === layout.wire;
  const body = isNative ? request.native.value : undefined;
  const native = isJsonObject(body) ? flatten(withoutFields(body, layout), layout.opened) : undefined;
  const fields = encodeSettings(layout.settings, { settings: settingsOf(request), destination, native });
  const extra = isNative ? flatten(request.extra ?? {}, layout.opened) : {};
  return unflatten({ ...extra, ...fields }, layout.opened);
}

function withoutFields(body: JsonObject, { conversation }: BodyLayout): JsonObject {
  return Object.fromEntries(Object.entries(body).filter(([field]) => !conversation.includes(field)));
}

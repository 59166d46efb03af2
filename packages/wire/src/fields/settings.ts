import {
  isJsonArray,
  isJsonObject,
  type JsonObject,
  type JsonValue,
  type Request,
  type Sampling,
  type WireId,
} from "@longhaul/conversation/advanced";
import type { WireDestination } from "../codec/rules.ts";
import { defined, dropNulls, sameValue } from "./json.ts";

/** All settings of a request, flat: everything except the conversation. */
export type Settings = Partial<Pick<Request, "model" | "stream">> &
  Pick<Request, "maxOutputTokens" | "toolChoice" | "parallelToolCalls" | "reasoning" | "outputFormat" | "user"> &
  Sampling;

/** One row of a format's settings table: maps fields of the body to settings. */
export interface Setting {
  /** Settings that the row reads and writes. */
  readonly names: readonly (keyof Settings)[];
  /** Fields of the body; `outer.inner` for a field inside an object that the format opens (see `flatten`). */
  readonly fields: readonly string[];
  /** Decodes the fields, which are never null. Returns undefined if the canonical model cannot express their value. */
  decode(body: JsonObject): Settings | undefined;
  /** Encodes the settings as fields. `native` is the client's flat body, if the client uses the same format. */
  encode(settings: Settings, destination: WireDestination, native?: JsonObject): JsonObject;
  /** Whether the destination accepts the client's own fields. @default always */
  keeps?(body: JsonObject, destination: WireDestination): boolean;
}

/** Decodes the flat fields of a body row by row. `extra` has the fields that no row understood. */
export function decodeSettings(table: readonly Setting[], body: JsonObject): { settings: Settings; extra: JsonObject } {
  const settings: Settings = {};
  const understood = new Set<string>();
  const own = dropNulls(body);
  for (const row of table) {
    const found = row.decode(own);
    if (found === undefined) continue;
    Object.assign(settings, found);
    for (const field of row.fields) understood.add(field);
  }
  const extra = Object.entries(body).filter(([field]) => !understood.has(field));
  return { settings, extra: Object.fromEntries(extra) };
}

/** Settings to encode, and the client's flat body if the client uses the same format. */
export interface SettingsToWrite {
  readonly settings: Settings;
  readonly destination: WireDestination;
  readonly native: JsonObject | undefined;
}

/** Encodes flat fields row by row. A setting that did not change keeps the client's own fields. */
export function encodeSettings(
  table: readonly Setting[],
  { settings, destination, native }: SettingsToWrite,
): JsonObject {
  const body: Record<string, JsonValue> = {};
  for (const row of table) {
    const keeps = native !== undefined && keepsNative(row, { settings, destination, native });
    const kept = keeps ? Object.entries(native).filter(([field]) => row.fields.includes(field)) : undefined;
    Object.assign(body, kept === undefined ? row.encode(settings, destination, native) : Object.fromEntries(kept));
  }
  return body;
}

function keepsNative(
  row: Setting,
  { settings, destination, native }: SettingsToWrite & { native: JsonObject },
): boolean {
  const own = row.decode(dropNulls(native));
  if (own === undefined || row.keeps?.(native, destination) === false) return false;
  return row.names.every((name) => sameValue(own[name], settings[name]));
}

/** Returns the settings of a request. */
export function settingsOf(request: Request): Settings {
  const { conversation: _, sampling, native: _native, extra: _extra, ...rest } = request;
  return { ...rest, ...sampling };
}

/** Returns the request fields for these settings. */
export function requestFields(settings: Settings): Omit<Request, "conversation"> {
  const { temperature, topP, topK, frequencyPenalty, presencePenalty, seed, stopSequences, ...rest } = settings;
  const sampling = { temperature, topP, topK, frequencyPenalty, presencePenalty, seed, stopSequences };
  return { ...rest, model: rest.model ?? "", stream: rest.stream ?? false, sampling: defined(sampling) };
}

/** Moves the fields of the objects named in `opened` to the top level as `outer.inner`. Empty objects stay unchanged. */
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
    else {
      const held = body.get(outer);
      const field = Object.fromEntries([[key.slice(outer.length + 1), value]]);
      body.set(outer, isJsonObject(held) ? { ...held, ...field } : field);
    }
  }
  return Object.fromEntries(body);
}

/** Settings whose value is plain JSON. */
type PlainName = Exclude<keyof Settings, "toolChoice" | "reasoning" | "outputFormat" | "stream">;

/** Returns a row for a setting that is one field with a plain value. */
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

/** How one field maps to one setting. */
interface FieldCodec<Value> {
  /** Returns null for a value that sets nothing, and undefined for one that the canonical model cannot express. */
  decode(value: JsonValue): Value | null | undefined;
  encode(value: Value): JsonValue;
}

/** Returns a row for a setting that is one field. */
export function fieldSetting<Name extends "toolChoice" | "reasoning" | "outputFormat" | "stopSequences">(
  name: Name,
  field: string,
  { decode, encode }: FieldCodec<NonNullable<Settings[Name]>>,
): Setting {
  return {
    names: [name],
    fields: [field],
    decode: (body) => {
      const value = body[field] ?? null;
      const decoded = value === null ? null : decode(value);
      if (decoded === undefined) return undefined;
      return decoded === null ? {} : single(name, decoded);
    },
    encode: (settings) => {
      const value = settings[name] ?? undefined;
      return value === undefined ? {} : { [field]: encode(value) };
    },
  };
}

export const STREAM_SETTING: Setting = {
  names: ["stream"],
  fields: ["stream"],
  decode: (body) => ({ stream: body.stream === true }),
  encode: ({ stream }) => (stream === true ? { stream } : {}),
};

function single(name: keyof Settings, value: unknown): Settings;
function single(name: string, value: unknown): object {
  return { [name]: value };
}

export function isNumber(value: JsonValue): value is number {
  return typeof value === "number";
}

export function isString(value: JsonValue): value is string {
  return typeof value === "string";
}

export function isBoolean(value: JsonValue): value is boolean {
  return typeof value === "boolean";
}

export function isStrings(value: JsonValue): value is readonly string[] {
  return isJsonArray(value) && value.every(isString);
}

/** The layout of a format's request body. */
export interface BodyLayout {
  readonly wire: WireId;
  readonly settings: readonly Setting[];
  /** Objects whose fields the settings table names as `outer.inner`. */
  readonly opened: readonly string[];
  /** Fields that hold the conversation. */
  readonly conversation: readonly string[];
}

/** Decodes everything in a body except the conversation. */
export function decodeFields(body: JsonObject, layout: BodyLayout): Omit<Request, "conversation"> {
  const { settings, extra } = decodeSettings(layout.settings, flatten(withoutFields(body, layout), layout.opened));
  const fields = { ...requestFields(settings), native: { wire: layout.wire, value: body } };
  return Object.keys(extra).length === 0 ? fields : { ...fields, extra: unflatten(extra, layout.opened) };
}

/** Encodes everything in a body except the conversation. */
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

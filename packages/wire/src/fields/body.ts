import { isJsonObject, type JsonObject, type Request, type WireId } from "@longhaul/conversation";
import type { Target } from "../codec/target.ts";
import {
  decodeSettings,
  encodeSettings,
  flatten,
  requestFields,
  type Setting,
  settingsOf,
  unflatten,
} from "./settings.ts";

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
export function encodeFields(request: Request, layout: BodyLayout, target: Target): JsonObject {
  const isNative = request.native?.wire === layout.wire;
  const body = isNative ? request.native.value : undefined;
  const native = isJsonObject(body) ? flatten(withoutFields(body, layout), layout.opened) : undefined;
  const fields = encodeSettings(layout.settings, { settings: settingsOf(request), target, native });
  const extra = isNative ? flatten(request.extra ?? {}, layout.opened) : {};
  return unflatten({ ...extra, ...fields }, layout.opened);
}

function withoutFields(body: JsonObject, { conversation }: BodyLayout): JsonObject {
  return Object.fromEntries(Object.entries(body).filter(([field]) => !conversation.includes(field)));
}

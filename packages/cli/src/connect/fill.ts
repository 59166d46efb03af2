import { isJsonArray, isJsonObject, type JsonValue } from "@longhaul/conversation/advanced";
import { loadConfig } from "@longhaul/gateway";
import { configSource } from "../config/config-source.ts";
import { reachableAddress } from "../gateway/address.ts";
import { invalid } from "../terminal/invalid.ts";
import type { Terminal } from "../terminal/terminal.ts";

export interface Placeholders {
  readonly url: string;
  readonly model: string;
  /** Absent if the client should send its own login. */
  readonly key?: string | undefined;
  /** The key for clients that need one, if the user gave none. @default a word that a gateway without keys accepts */
  readonly anyKey?: string;
  /** A gateway key that a client sends in a header of its own, beside its login. */
  readonly headerKey?: string | undefined;
}

/** A key for gateways that check none. */
export const ANY_KEY = "longhaul";
const OWN_KEY = "the key that `longhaul keys create cursor` prints";

/** Fills in the placeholders of a text. Returns `undefined` if it needs a key and there is none. */
export function fillText(text: string, placeholders: Placeholders): string | undefined {
  const { url, model, key, headerKey, anyKey = ANY_KEY } = placeholders;
  if (key === undefined && text.includes("{key}")) return undefined;
  if (headerKey === undefined && text.includes("{headerKey}")) return undefined;
  const values = new Map(Object.entries({ url, model, key, anyKey: key ?? anyKey, ownKey: key ?? OWN_KEY, headerKey }));
  return text.replaceAll(/\{(url|model|key|anyKey|ownKey|headerKey)\}/g, (_, name: string) => values.get(name) ?? "");
}

export function fillValue(value: JsonValue, placeholders: Placeholders): JsonValue | undefined {
  if (typeof value === "string") return fillText(value, placeholders);
  if (isJsonArray(value)) return value.flatMap((entry) => fillValue(entry, placeholders) ?? []);
  if (!isJsonObject(value)) return value;
  const entries = Object.entries(value).map(([name, entry]) => [name, fillValue(entry ?? null, placeholders)] as const);
  return Object.fromEntries(entries.filter((entry): entry is [string, JsonValue] => entry[1] !== undefined));
}

export function fillVariables(
  variables: Readonly<Record<string, string>>,
  placeholders: Placeholders,
): Record<string, string> {
  const entries = Object.entries(variables).map(([name, text]) => [name, fillText(text, placeholders)] as const);
  return Object.fromEntries(entries.filter((entry): entry is [string, string] => entry[1] !== undefined));
}

export interface ClientFlags {
  readonly url?: string;
  readonly key?: string;
  readonly model: string;
}

/** Returns the placeholders from the flags, or else from the environment and the configuration that `start` uses. */
export function placeholdersOf({ url, key, model }: ClientFlags, terminal: Terminal): Placeholders {
  const given = key ?? (terminal.environment.LONGHAUL_KEY || undefined);
  return { url: url === undefined ? configuredUrl(terminal) : plainUrl(url), model, key: given };
}

/** Removes `/v1`, which the settings add themselves. */
function plainUrl(url: string): string {
  if (/^https?:\/\/[^/]/.test(url) && URL.canParse(url)) return url.replace(/\/+$/, "").replace(/\/v1$/, "");
  throw invalid(`--url: "${url}" is not a URL; use for example http://127.0.0.1:4141`);
}

function configuredUrl(terminal: Terminal): string {
  const { host, port } = loadConfig(configSource({}, terminal)).config.server;
  return reachableAddress(host, port);
}

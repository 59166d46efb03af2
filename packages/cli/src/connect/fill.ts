import { isJsonArray, isJsonObject, type JsonValue, LonghaulError } from "@longhaul/conversation";
import { loadConfig } from "@longhaul/gateway";
import { configSource } from "../config/config-source.ts";
import { reachableAddress } from "../gateway/address.ts";
import type { Terminal } from "../terminal/terminal.ts";

/** What stands for the placeholders of a client's settings. */
export interface Placeholders {
  readonly url: string;
  readonly model: string;
  /** Absent where the client is to send its own login. */
  readonly key?: string | undefined;
}

/** What clients are told that need some key where the gateway needs none. */
const ANY_KEY = "longhaul";

/** A text with its placeholders filled in; nothing where it needs a key and there is none. */
export function fillText(text: string, { url, model, key }: Placeholders): string | undefined {
  if (key === undefined && text.includes("{key}")) return undefined;
  const values: Readonly<Record<string, string>> = { url, model, key: key ?? "", anyKey: key ?? ANY_KEY };
  return text.replaceAll(/\{(url|model|key|anyKey)\}/g, (_, name: string) => values[name] ?? "");
}

/** The same for every text in a value. */
export function fillValue(value: JsonValue, placeholders: Placeholders): JsonValue | undefined {
  if (typeof value === "string") return fillText(value, placeholders);
  if (isJsonArray(value)) return value.flatMap((entry) => fillValue(entry, placeholders) ?? []);
  if (!isJsonObject(value)) return value;
  const entries = Object.entries(value).map(([name, entry]) => [name, fillValue(entry ?? null, placeholders)] as const);
  return Object.fromEntries(entries.filter((entry): entry is [string, JsonValue] => entry[1] !== undefined));
}

/** The same for variables; those without a value are left out. */
export function fillVariables(
  variables: Readonly<Record<string, string>>,
  placeholders: Placeholders,
): Record<string, string> {
  const entries = Object.entries(variables).map(([name, text]) => [name, fillText(text, placeholders)] as const);
  return Object.fromEntries(entries.filter((entry): entry is [string, string] => entry[1] !== undefined));
}

/** The flags that say what a client is pointed at. */
export interface ClientFlags {
  readonly url?: string;
  readonly key?: string;
  readonly model: string;
}

/** What stands for a client's placeholders: the flags, else the environment and the configuration that `start` would take. */
export function placeholdersOf({ url, key, model }: ClientFlags, terminal: Terminal): Placeholders {
  const given = key ?? (terminal.environment.LONGHAUL_KEY || undefined);
  return { url: url === undefined ? configuredUrl(terminal) : plainUrl(url), model, key: given };
}

/** Clients add the version themselves. */
function plainUrl(url: string): string {
  if (/^https?:\/\/[^/]/.test(url)) return url.replace(/\/+$/, "").replace(/\/v1$/, "");
  throw new LonghaulError("settings.invalid", `--url: "${url}" is not a URL; use one such as http://127.0.0.1:4141`);
}

function configuredUrl(terminal: Terminal): string {
  const { host, port } = loadConfig(configSource({}, terminal)).config.server;
  return reachableAddress(host, port);
}

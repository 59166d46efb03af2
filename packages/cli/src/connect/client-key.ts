import { hashKey, isKeyForm, makeKey } from "@longhaul/admin";
import { requiresKeys } from "@longhaul/gateway";
import { isLoopback } from "@longhaul/settings";
import { isInMemory, type StoredKey, type StoreLocation, storeLocation } from "@longhaul/store";
import { configuredStore, layeredSettings, readStore, withStore } from "../config/config-source.ts";
import type { Terminal } from "../terminal/terminal.ts";
import type { Client } from "./clients.ts";
import { type Placeholders, placeholdersOf } from "./fill.ts";
import { type FileChange, settingAt, settingsPath } from "./settings-file.ts";
import { kindOfKey } from "./simulator-warning.ts";

/** The keys that a client sends: one in the usual header, and one of the gateway beside its login. */
interface SentKeys {
  readonly key?: string;
  readonly headerKey?: string;
}

/** The key that a client gets, decided for `setup`, `connect`, `run` and `keys create` alike. */
export interface ClientKey {
  readonly placeholders: Placeholders;
  /** A new key, which must be stored before the client can use it. */
  readonly created?: StoredKey;
  /** Set if the gateway will reject the client. */
  readonly warning?: string;
}

/**
 * Chooses the key of a client: the one that the user gave, or the one that it has, if that still works. Without one, a gateway that requires
 * keys gets a new key for it. A key that the gateway does not need is left out.
 */
export async function planKey(client: Client, given: Placeholders, terminal: Terminal): Promise<ClientKey> {
  if (given.key !== undefined) return { placeholders: given };
  const current = keysOf(client, terminal);
  const own = Object.values(current).some(isKeyForm) ? current : {};
  // A vendor's key pays for the requests, so it stays in any case.
  const vendors = current.key !== undefined && kindOfKey(current.key) !== undefined ? { key: current.key } : {};
  if (!isOwnGateway(given.url, terminal))
    return isEmpty(own) && isEmpty(vendors)
      ? { placeholders: given, warning: keyWarning(client) }
      : { placeholders: { ...given, ...vendors, ...own } };
  const access = await readKeyAccess(terminal);
  if (!access.isRequired) return { placeholders: { ...given, ...vendors } };
  if (hasActiveKey(own, access)) return { placeholders: { ...given, ...vendors, ...own } };
  const place = keyPlace(client);
  if (place in vendors) return { placeholders: { ...given, ...vendors }, warning: vendorKeyWarning(client) };
  if (isInMemory(access.location)) return { placeholders: given, warning: keyWarning(client) };
  const { key, stored } = makeKey({ ...keyNames(client), limits: {}, context: {}, createdAtMs: Date.now() });
  return { placeholders: { ...given, ...vendors, [place]: key }, created: stored };
}

/** Returns placeholders that show where a client needs a key, for settings that are copied. */
export function withShownKey(client: Client, placeholders: Placeholders): Placeholders {
  const place = keyPlace(client) === "headerKey" ? "headerKey" : "anyKey";
  return { ...placeholders, [place]: "<key>" };
}

/** Claude Code sends its login in the usual header, so the key needs another one. */
function keyPlace({ files, environment }: Client): keyof SentKeys {
  return JSON.stringify([files, environment]).includes("{headerKey}") ? "headerKey" : "key";
}

/** The client is the tenant, so that its next key continues its conversations. */
function keyNames({ id }: Client) {
  return { name: id, tenant: id };
}

export function keyWarning({ id }: Client): string {
  return `the gateway requires API keys. Create one with \`longhaul keys create ${id}\`, and pass it with --key.`;
}

function vendorKeyWarning({ id, name }: Client): string {
  return `${name} sends a vendor's key and cannot send a second one: give the key to the gateway (upstreams.<name>.apiKey), then run \`longhaul connect ${id} --undo\` and connect it again.`;
}

function isEmpty(keys: SentKeys): boolean {
  return Object.keys(keys).length === 0;
}

/** A gateway of this configuration, whatever its port. */
function isOwnGateway(url: string, terminal: Terminal): boolean {
  return isLoopback(new URL(url).hostname) || url === placeholdersOf({ model: "" }, terminal).url;
}

/** The keys of a gateway, and whether its clients need one. */
export interface KeyAccess {
  readonly isRequired: boolean;
  readonly keys: readonly StoredKey[];
  readonly location: StoreLocation;
}

/** Reads the keys of this configuration's gateway, by the gateway's own rule. */
async function readKeyAccess(terminal: Terminal): Promise<KeyAccess> {
  const { config } = await layeredSettings({}, terminal);
  const location = storeLocation(config);
  const stored = await readStore(location, ({ keys }) => keys.list());
  const keys = "read" in stored ? stored.read : [];
  return { isRequired: await requiresKeys(config.server, { hasKeys: async () => keys.length > 0 }), keys, location };
}

/** Returns whether a gateway accepts one of these keys. */
export function hasActiveKey(sent: SentKeys, { keys }: Pick<KeyAccess, "keys">): boolean {
  const hashes = Object.values(sent).map(hashKey);
  return keys.some(({ hash, revokedAtMs }) => revokedAtMs === undefined && hashes.includes(hash));
}

const KEY_PLACE = /\{(key|anyKey|headerKey)\}$/;

/** Returns the keys in a client's settings files. */
export function keysOf({ files = [] }: Client, terminal: Pick<Terminal, "environment">): SentKeys {
  const found = files.flatMap((file) =>
    file.settings.flatMap(({ path, value: template }) => {
      const [placeholder, name] = (typeof template === "string" && KEY_PLACE.exec(template)) || [];
      const value = placeholder === undefined ? undefined : settingAt(settingsPath(file, terminal), file, path);
      const start = String(template).slice(0, -(placeholder ?? "").length);
      if (typeof value !== "string" || !value.startsWith(start) || value === start) return [];
      return [[name === "headerKey" ? "headerKey" : "key", value.slice(start.length)] as const];
    }),
  );
  // Several keys in one place belong to several vendors; they stay where they are.
  return Object.fromEntries(
    found.filter(([name, key]) => found.every((other) => other[0] !== name || other[1] === key)),
  );
}

/** Returns whether a client needs a key at a URL: where this configuration says so, and at gateways on other machines. */
export async function requiresKeyAt(url: string, terminal: Terminal): Promise<boolean> {
  return !isOwnGateway(url, terminal) || (await readKeyAccess(terminal)).isRequired;
}

export async function storeKeys(keys: readonly StoredKey[], terminal: Terminal): Promise<void> {
  if (keys.length === 0) return;
  await withStore(configuredStore({}, terminal), async (store) => {
    for (const key of keys) await store.keys.create(key);
  });
}

export function describeNewKey({ name }: Client, { name: key, hint }: StoredKey): string {
  return `${name} got the API key "${key}" (${hint}).`;
}

const GATEWAY_KEYS = /lh_[0-9A-Za-z]{43}/g;

/** Returns the keys that clients got from Longhaul and that leave their settings with these changes. */
export async function releasedKeys(
  changes: readonly FileChange[],
  clients: readonly Client[],
  terminal: Terminal,
): Promise<readonly StoredKey[]> {
  const hashes = changes.flatMap(({ before = "", after = "" }) =>
    (before.match(GATEWAY_KEYS) ?? []).filter((key) => !after.includes(key)).map(hashKey),
  );
  if (hashes.length === 0) return [];
  const { keys } = await readKeyAccess(terminal);
  // A key with another name may be in use elsewhere.
  return keys.filter(({ hash, name }) => hashes.includes(hash) && clients.some(({ id }) => id === name));
}

export function describeReleased(keys: readonly StoredKey[]): string {
  return keys.map(({ name, hint }) => `The API key "${name}" (${hint}) is deleted, too.\n`).join("");
}

/** Deletes keys that no client has any more. Returns what that means for the others. */
export async function deleteKeys(keys: readonly StoredKey[], terminal: Terminal): Promise<string> {
  if (keys.length === 0) return "";
  await removeKeys(keys, terminal);
  const { isRequired } = await readKeyAccess(terminal);
  const names = keys.map(({ name }) => `"${name}"`).join(", ");
  const next = isRequired ? STILL_REQUIRED : NO_LONGER_REQUIRED;
  return `Deleted ${keys.length === 1 ? "the API key" : "the API keys"} ${names}.\n${next}`;
}

export async function removeKeys(keys: readonly StoredKey[], terminal: Terminal): Promise<void> {
  if (keys.length === 0) return;
  await withStore(configuredStore({}, terminal), async (store) => {
    for (const { id } of keys) await store.keys.delete(id);
  });
}

const STILL_REQUIRED =
  "The gateway still requires API keys: others exist, or its settings say so. `longhaul keys list` shows them; `longhaul keys delete --all` deletes them.\n";
const NO_LONGER_REQUIRED = "No API key is left, so the gateway requires none.\n";

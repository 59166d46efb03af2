import { hashKey, isKeyForm, makeKey } from "@longhaul/admin";
import { requiresKeys } from "@longhaul/gateway";
import { isLoopback } from "@longhaul/settings";
import { isInMemory, type StoredKey, type StoreLocation, storeLocation } from "@longhaul/store";
import { configuredStore, layeredSettings, readStore, withStore } from "../config/config-source.ts";
import type { Terminal } from "../terminal/terminal.ts";
import { kindOfKey } from "./answer-doubt.ts";
import type { Client, ClientSetting } from "./clients.ts";
import { type Placeholders, placeholdersOf } from "./fill.ts";
import { headerIn } from "./header-lines.ts";
import { type FileChange, planWrite, settingAt, settingsPath } from "./settings-file.ts";

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
      ? { placeholders: given, warning: keyWarning(client, given.url) }
      : { placeholders: { ...given, ...vendors, ...own } };
  const access = await readKeyAccess(terminal);
  if (!access.isRequired) return { placeholders: { ...given, ...vendors } };
  if (hasActiveKey(own, access)) return { placeholders: { ...given, ...vendors, ...own } };
  const place = keyPlace(client);
  if (place in vendors) return { placeholders: { ...given, ...vendors }, warning: vendorKeyWarning(client) };
  if (isInMemory(access.location)) return { placeholders: given, warning: keyWarning(client, given.url) };
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

export function keyWarning({ id }: Client, url: string): string {
  const place = isLoopback(new URL(url).hostname)
    ? "the gateway requires API keys. Create one"
    : "a gateway on another machine requires API keys. Create one there";
  return `${place} with \`longhaul keys create ${id}\`, and pass it with --key.`;
}

function vendorKeyWarning({ id, name }: Client): string {
  return `${name} sends a vendor's key and cannot send a second one: give the key to the gateway (upstreams.<name>.apiKey), then run \`longhaul connect ${id} --undo\` and connect it again.`;
}

function isEmpty(keys: SentKeys): boolean {
  return Object.keys(keys).length === 0;
}

/** A gateway of this configuration, whatever its port. */
function isOwnGateway(url: string, terminal: Terminal): boolean {
  return url === placeholdersOf({ model: "" }, terminal).url || isLoopback(new URL(url).hostname);
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
    file.settings.flatMap((setting) => {
      const [placeholder, name] = KEY_PLACE.exec(String(setting.value)) ?? [];
      if (placeholder === undefined) return [];
      const value = settingAt(settingsPath(file, terminal), file, setting.path);
      const key = typeof value === "string" ? keyIn(value, setting, placeholder) : undefined;
      return key ? [[name === "headerKey" ? "headerKey" : "key", key] as const] : [];
    }),
  );
  // Several keys in one place belong to several vendors; they stay where they are.
  return Object.fromEntries(
    found.filter(([name, key]) => found.every((other) => other[0] !== name || other[1] === key)),
  );
}

/** Returns what a value has in the place of a placeholder at the end of its template. */
function keyIn(value: string, { value: template, isHeader }: ClientSetting, placeholder: string): string | undefined {
  const start = String(template).slice(0, -placeholder.length);
  if (isHeader) return headerIn(value, start);
  return value.startsWith(start) ? value.slice(start.length) : undefined;
}

/** Returns whether a client needs a key at a URL: where this configuration says so, and at gateways on other machines. */
export async function requiresKeyAt(url: string, terminal: Terminal): Promise<boolean> {
  return !isOwnGateway(url, terminal) || (await readKeyAccess(terminal)).isRequired;
}

/** Plans the settings of a client. The undo records name the key that is created for it. */
export function planFiles(
  { files = [] }: Client,
  { placeholders, created }: ClientKey,
  terminal: Pick<Terminal, "environment">,
): FileChange[] {
  return files.map((file) => withKeys(planWrite(file, placeholders, terminal), created));
}

function withKeys(change: FileChange, created: StoredKey | undefined): FileChange {
  const { record, keys = [] } = change;
  if (record === undefined) return change;
  const hashes = keyHashesIn([change]);
  const all = [...keys, ...(created === undefined ? [] : [{ id: created.id, hash: created.hash }])];
  return { ...change, record: { ...record, keys: all.filter(({ hash }) => hashes.has(hash)) } };
}

/**
 * Stores new keys, writes the files that contain them, and deletes the keys that leave these files. If a file cannot be written, the new
 * keys that no file contains are deleted again.
 */
export async function writeWithKeys(
  { changes, created, released }: KeyedChanges,
  terminal: Terminal,
  write: (change: FileChange) => void,
): Promise<void> {
  const written: FileChange[] = [];
  try {
    await storeKeys(created, terminal);
    for (const change of changes) {
      write(change);
      written.push(change);
    }
  } finally {
    const used = keyHashesIn(written);
    const left = new Set(written.flatMap(({ keys = [] }) => keys.map(({ id }) => id)));
    const unused = created.filter(({ hash }) => !used.has(hash));
    await removeKeys([...unused, ...released.keys.filter(({ id }) => left.has(id))], terminal);
  }
}

/** Changes of files with the keys that they need and no longer need. */
interface KeyedChanges {
  readonly changes: readonly FileChange[];
  readonly created: readonly StoredKey[];
  readonly released: ReleasedKeys;
}

async function storeKeys(keys: readonly StoredKey[], terminal: Terminal): Promise<void> {
  if (keys.length === 0) return;
  await withStore(configuredStore({}, terminal), async (store) => {
    for (const key of keys) await store.keys.create(key);
  });
}

async function removeKeys(keys: readonly StoredKey[], terminal: Terminal): Promise<void> {
  if (keys.length === 0) return;
  await withStore(configuredStore({}, terminal), async (store) => {
    for (const { id } of keys) await store.keys.delete(id);
  });
}

export function describeNewKey({ name }: Client, { name: key, hint }: StoredKey): string {
  return `${name} got the API key "${key}" (${hint}).`;
}

const GATEWAY_KEYS = /lh_[0-9A-Za-z]{43}/g;

function keyHashesIn(changes: readonly FileChange[]): ReadonlySet<string> {
  return new Set(changes.flatMap(({ after = "" }) => (after.match(GATEWAY_KEYS) ?? []).map(hashKey)));
}

/** The keys that Longhaul created for settings files, and that leave them. */
export interface ReleasedKeys {
  readonly keys: readonly StoredKey[];
  /** Whether the gateway has no other key. */
  readonly areLast: boolean;
}

export async function releasedKeys(changes: readonly FileChange[], terminal: Terminal): Promise<ReleasedKeys> {
  const hashes = keyHashesIn(changes);
  const ids = changes.flatMap(({ keys = [] }) => keys.filter(({ hash }) => !hashes.has(hash)).map(({ id }) => id));
  if (ids.length === 0) return { keys: [], areLast: false };
  const { keys: all } = await readKeyAccess(terminal);
  const keys = all.filter(({ id }) => ids.includes(id));
  return { keys, areLast: keys.length === all.length };
}

/** Says before the question which keys will be deleted, and what that means. */
export function describeReleased({ keys, areLast }: ReleasedKeys): string {
  const lines = keys.map(({ name, hint }) => `The API key "${name}" (${hint}) will be deleted.\n`);
  return `${lines.join("")}${areLast && keys.length > 0 ? LAST_KEY : ""}`;
}

const LAST_KEY = "No other API key exists: afterwards, a gateway on localhost requires none.\n";

/** Says which keys were deleted, and what that means for other clients. */
export async function describeDeleted({ keys }: ReleasedKeys, terminal: Terminal): Promise<string> {
  if (keys.length === 0) return "";
  const { isRequired } = await readKeyAccess(terminal);
  const names = keys.map(({ name }) => `"${name}"`).join(", ");
  const next = isRequired ? STILL_REQUIRED : NO_LONGER_REQUIRED;
  return `Deleted ${keys.length === 1 ? "the API key" : "the API keys"} ${names}.\n${next}`;
}

const STILL_REQUIRED =
  "The gateway still requires API keys: others exist, or its settings say so. `longhaul keys list` shows them; `longhaul keys delete --all` deletes them.\n";
const NO_LONGER_REQUIRED = "The gateway requires no API keys now.\n";

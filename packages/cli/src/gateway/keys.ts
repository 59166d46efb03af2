import { makeKey, type ShownKey, showKey } from "@longhaul/admin";
import { checkValue, isJsonObject, type JsonObject, LonghaulError } from "@longhaul/conversation";
import { formatCount, formatUsd } from "@longhaul/models/format";
import { invalidSettings, keyChangeSchema, newKeySchema, schemaFaults } from "@longhaul/settings";
import {
  isInMemory,
  type KeyLimits,
  type KeyUse,
  type Store,
  type StoredKey,
  type StoreLocation,
} from "@longhaul/store";
import { type ConfigFlags, configuredStore, readStore, withStore } from "../config/config-source.ts";
import { type LimitFlags, limitsAfter } from "../terminal/options.ts";
import { printJson } from "../terminal/output.ts";
import type { Terminal } from "../terminal/terminal.ts";
import { readYaml, userFile } from "../terminal/user-file.ts";

/** The flags that every command on keys takes. */
export interface KeysFlags extends ConfigFlags {
  /** Whether programs read what is printed. */
  readonly json?: true;
}

/** What may be said of a key. */
export interface KeyFlags extends KeysFlags, LimitFlags {
  readonly name?: string;
  readonly tenant?: string;
  /** File with context settings. */
  readonly context?: string;
}

/** Makes a key and prints it, once. */
export async function createKey(flags: KeyFlags & { readonly name: string }, terminal: Terminal): Promise<void> {
  const { name, tenant, json } = flags;
  const context = contextIn(flags, terminal) ?? {};
  const limits = limitsAfter(flags, {});
  requireValid(newKeySchema, { name, limits, context, ...(tenant !== undefined && { tenant }) });
  await withStore(requirePersistent(flags, terminal), async (store) => {
    const { key, stored } = makeKey({ name, tenant, limits, context, createdAtMs: Date.now() });
    await store.keys.create(stored);
    const made = await shown(stored, store);
    if (json === true) printJson({ key, made }, terminal);
    else terminal.write(`${key}\n\n${describeKey(made)}\n${SHOWN_ONCE}\n`);
  });
}

const SHOWN_ONCE = "The key in the first line is not shown again. Gateways on this store ask for keys from now on.";

/** Lists all keys, the latest first. */
export async function listKeys(flags: KeysFlags, terminal: Terminal): Promise<void> {
  const kept = await readStore(requirePersistent(flags, terminal), async (store) => {
    const stored = await store.keys.list();
    return await Promise.all(stored.map((key) => shown(key, store)));
  });
  const keys = "read" in kept ? kept.read : [];
  if (flags.json === true) printJson({ keys }, terminal);
  else terminal.write(keys.map((key) => `${describeKey(key)}\n`).join("") || "There are no keys.\n");
}

/** Revokes a key: within a second it opens nothing. */
export async function revokeKey(named: string, flags: KeysFlags, terminal: Terminal): Promise<void> {
  await withStore(requirePersistent(flags, terminal), async (store) => {
    const { id } = await findKey(named, store);
    await store.keys.revoke(id, Date.now());
    await printKey(id, { store, flags, terminal });
  });
}

/** Changes a key's name, limits or context settings; it takes effect within a second. */
export async function changeKey(named: string, flags: KeyFlags, terminal: Terminal): Promise<void> {
  await withStore(requirePersistent(flags, terminal), async (store) => {
    const { id, limits } = await findKey(named, store);
    const context = contextIn(flags, terminal);
    const changes = {
      limits: limitsAfter(flags, limits),
      ...(flags.name !== undefined && { name: flags.name }),
      ...(context !== undefined && { context }),
    };
    requireValid(keyChangeSchema, changes);
    await store.keys.change(id, changes);
    await printKey(id, { store, flags, terminal });
  });
}

function requirePersistent(flags: KeysFlags, terminal: Terminal): StoreLocation {
  const place = configuredStore(flags, terminal);
  if (!isInMemory(place)) return place;
  throw new LonghaulError("settings.invalid", "store.path is :memory:, which keeps no keys; name a file with --store");
}

/** The key with an id, or the only one with a name that was not revoked. */
async function findKey(named: string, { keys }: Store): Promise<StoredKey> {
  const all = await keys.list();
  const found = all.filter(({ id }) => id === named);
  const meant = found.length > 0 ? found : all.filter((key) => key.name === named && key.revokedAtMs === undefined);
  const [key, ...others] = meant;
  if (key === undefined) {
    throw new LonghaulError("settings.invalid", `there is no key "${named}"; \`longhaul keys list\` shows all of them`);
  }
  if (others.length === 0) return key;
  const ids = meant.map(({ id }) => id).join(", ");
  throw new LonghaulError(
    "settings.invalid",
    `${meant.length} keys are called "${named}" (${ids}); name one by its id`,
  );
}

interface PrintOptions {
  readonly store: Store;
  readonly flags: KeysFlags;
  readonly terminal: Terminal;
}

async function printKey(id: string, { store, flags, terminal }: PrintOptions): Promise<void> {
  const key = await shown(await findKey(id, store), store);
  if (flags.json === true) printJson(key, terminal);
  else terminal.write(`${describeKey(key)}\n`);
}

function shown(key: StoredKey, { limits }: Store): Promise<ShownKey> {
  return showKey(key, limits, Date.now());
}

function contextIn({ context: file }: KeyFlags, terminal: Terminal): JsonObject | undefined {
  if (file === undefined) return undefined;
  const settings = readYaml(userFile(file, terminal));
  if (isJsonObject(settings)) return settings;
  throw new LonghaulError("settings.invalid", `${file} holds no settings; write them as in the section context`);
}

function requireValid(schema: typeof newKeySchema | typeof keyChangeSchema, said: unknown): void {
  const { error } = checkValue(schema, said);
  if (error !== undefined) throw invalidSettings("the key", schemaFaults(error));
}

/** A key in one line, for people. */
export function describeKey(key: ShownKey): string {
  const { id, name, hint, tenant, createdAtMs, revokedAtMs } = key;
  const owner = tenant === id ? "" : `, tenant ${tenant}`;
  const since = `made ${dayOf(createdAtMs)}`;
  const state = revokedAtMs === undefined ? since : `${since}, revoked ${dayOf(revokedAtMs)}`;
  const rest = [...limitsOf(key), ...settingsOf(key)].map((line) => `\n    ${line}`).join("");
  return `${id}  ${name}  ${hint}  ${state}${owner}${rest}`;
}

function dayOf(atMs: number): string {
  return new Date(atMs).toISOString().slice(0, "2026-01-01".length);
}

const LIMIT_LINES: { readonly [Name in keyof Required<KeyLimits>]: (used: KeyUse, most: number) => string } = {
  requestsPerMinute: ({ requestsThisMinute }, most) =>
    `${formatCount(requestsThisMinute)} of ${formatCount(most)} requests this minute`,
  concurrent: ({ underWay }, most) => `${formatCount(underWay)} of ${formatCount(most)} requests under way`,
  usdPerDay: ({ usdToday }, most) => `${formatUsd(usdToday)} of ${formatUsd(most)} today`,
  usdPerMonth: ({ usdThisMonth }, most) => `${formatUsd(usdThisMonth)} of ${formatUsd(most)} this month`,
};

function limitsOf({ limits, used }: ShownKey): string[] {
  const { requestsPerMinute, concurrent, usdPerDay, usdPerMonth } = limits;
  const all = Object.entries({ requestsPerMinute, concurrent, usdPerDay, usdPerMonth });
  const spell = new Map<string, (used: KeyUse, most: number) => string>(Object.entries(LIMIT_LINES));
  return all.flatMap(([name, most]) => (most === undefined ? [] : [spell.get(name)?.(used, most) ?? ""]));
}

function settingsOf({ context }: ShownKey): string[] {
  const names = Object.keys(context);
  return names.length === 0 ? [] : [`context settings of its own: ${names.join(", ")}`];
}

import { makeKey, type ShownKey, showKeys } from "@longhaul/admin";
import { checkValue, isJsonObject, type JsonObject, LonghaulError, table } from "@longhaul/conversation/advanced";
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
import { invalid } from "../terminal/invalid.ts";
import { printJson, type Style, styleOf } from "../terminal/output.ts";
import { readYaml } from "../terminal/read-yaml.ts";
import { changedTerminal, type Terminal } from "../terminal/terminal.ts";
import { userFile } from "../terminal/user-file.ts";
import { clientsOfGateway, type DecisionFlags, decideFirstKey, giveKey } from "./client-keys.ts";

export interface KeysFlags extends ConfigFlags {
  readonly json?: true;
}

type LimitFlags = { readonly [Name in keyof KeyLimits]?: number | "none" };

export interface KeyFlags extends KeysFlags, LimitFlags, Pick<DecisionFlags, "yes" | "clients"> {
  readonly name?: string;
  readonly tenant?: string;
  readonly context?: string;
  readonly models?: readonly string[];
}

export async function createKey(flags: KeyFlags & { readonly name: string }, terminal: Terminal): Promise<void> {
  const { name, tenant, models = [], json } = flags;
  const context = contextIn(flags, terminal) ?? {};
  const limits = limitsAfter(flags, {});
  requireValid(newKeySchema, { name, models, limits, context, ...(tenant !== undefined && { tenant }) });
  await withStore(persistentStore(flags, terminal), async (store) => {
    const clients = (await hasActiveKey(store)) ? [] : clientsOfGateway(terminal);
    const decision = await decideFirstKey(clients, flags, terminal);
    if (decision === "cancel") {
      terminal.write("Nothing was created. Use --no-clients to create the key without changing any client.\n");
      return;
    }
    const { key, stored } = makeKey({ name, tenant, models, limits, context, createdAtMs: Date.now() });
    await store.keys.create(stored);
    const created = await withUsage(stored, store);
    if (json === true) printJson({ key, created }, terminal);
    else terminal.write(`${key}\n\n${describeKey(created)}\n${SHOWN_ONCE}\n`);
    if (decision === "create") return;
    for (const client of clients) terminal.writeError(await giveKey(client, withFlags(flags, terminal)));
  });
}

/** Other commands read the flags of this one from the environment. */
function withFlags({ config, store }: KeysFlags, terminal: Terminal): Terminal {
  const chosen = {
    ...(config !== undefined && { LONGHAUL_CONFIG: config }),
    ...(store !== undefined && { LONGHAUL_STORE: store }),
  };
  return changedTerminal(terminal, { environment: { ...terminal.environment, ...chosen } });
}

async function hasActiveKey({ keys }: Store): Promise<boolean> {
  return (await keys.list()).some(({ revokedAtMs }) => revokedAtMs === undefined);
}

const SHOWN_ONCE = "Save the key: it is not shown again. From now on, every client of the gateway must send a key.";

export async function listKeys(flags: KeysFlags, terminal: Terminal): Promise<void> {
  const result = await readStore(persistentStore(flags, terminal), async (store) => {
    return await showKeys(await store.keys.list(), store, Date.now());
  });
  const keys = "read" in result ? result.read : [];
  if (flags.json === true) printJson({ keys }, terminal);
  else terminal.write(keys.length === 0 ? NO_KEYS : describeKeys(keys, styleOf(terminal)));
}

const NO_KEYS = "No API keys. Create one with `longhaul keys create <name>`.\n";

/** Revokes a key; gateways reject it within a second. */
export async function revokeKey(named: string, flags: KeysFlags, terminal: Terminal): Promise<void> {
  await withStore(persistentStore(flags, terminal), async (store) => {
    const { id } = await findKey(named, store);
    await store.keys.revoke(id, Date.now());
    await printKey(id, { store, flags, terminal });
    if (flags.json !== true && !(await hasActiveKey(store))) terminal.write(NONE_ACTIVE);
  });
}

const NONE_ACTIVE =
  "No active key is left, so the gateway rejects every request. Create one with `longhaul keys create <name>`, or delete all with `longhaul keys delete --all`: a gateway on localhost without keys requires none.\n";

export interface DeleteFlags extends KeysFlags {
  readonly all?: true;
  readonly yes?: true;
}

/** Deletes a key, or all. Asks before the last one is deleted, because a gateway without keys requires none on localhost. */
export async function deleteKey(named: string | undefined, flags: DeleteFlags, terminal: Terminal): Promise<void> {
  if ((named === undefined) === (flags.all !== true)) throw invalid("give either a key or --all");
  await withStore(persistentStore(flags, terminal), async (store) => {
    const all = await store.keys.list();
    const chosen = named === undefined ? all : [keyIn(all, named, "API key")];
    const isLast = chosen.length === all.length && chosen.length > 0;
    if (isLast && !(await isDeletionConfirmed(chosen.length, flags, terminal)))
      return terminal.write("Nothing was deleted.\n");
    for (const { id } of chosen) await store.keys.delete(id);
    if (flags.json === true) printJson({ deleted: chosen.map(({ id }) => id) }, terminal);
    else terminal.write(describeDeleted(chosen, isLast));
  });
}

function describeDeleted(keys: readonly StoredKey[], isLast: boolean): string {
  if (keys.length === 0) return NO_KEYS;
  return `Deleted ${keys.map(({ name }) => `"${name}"`).join(", ")}.\n${isLast ? REQUIRED_NO_MORE : ""}`;
}

const REQUIRED_NO_MORE =
  "No key is left: a gateway on localhost requires none from now on, unless server.keys is required. One that other machines can reach still requires keys.\n";

async function isDeletionConfirmed(count: number, { yes }: DeleteFlags, terminal: Terminal): Promise<boolean> {
  if (yes === true) return true;
  const what = count === 1 ? "the last API key" : `all ${count} API keys`;
  const answer = await terminal.confirm(`Delete ${what}, so that a gateway on localhost requires none?`);
  if (answer !== undefined) return answer;
  throw invalid("standard input is not a terminal; use --yes to delete the last API key without asking");
}

/** Changes a key's name, models, limits or context settings; gateways apply it within a second. */
export async function changeKey(named: string, flags: KeyFlags, terminal: Terminal): Promise<void> {
  await withStore(persistentStore(flags, terminal), async (store) => {
    const { id, limits } = await findKey(named, store);
    const context = contextIn(flags, terminal);
    const changes = {
      limits: limitsAfter(flags, limits),
      ...(flags.name !== undefined && { name: flags.name }),
      ...(flags.models !== undefined && { models: flags.models }),
      ...(context !== undefined && { context }),
    };
    requireValid(keyChangeSchema, changes);
    await store.keys.change(id, changes);
    await printKey(id, { store, flags, terminal });
  });
}

const LIMIT_NAMES = ["requestsPerMinute", "concurrent", "usdPerDay", "usdPerMonth"] as const;

export function limitsAfter(flags: LimitFlags, before: KeyLimits): KeyLimits {
  const entries = LIMIT_NAMES.map((name) => [name, flags[name] ?? before[name] ?? "none"] as const);
  return Object.fromEntries(entries.filter(([, limit]) => limit !== "none"));
}

function persistentStore(flags: KeysFlags, terminal: Terminal): StoreLocation {
  const location = configuredStore(flags, terminal);
  if (!isInMemory(location)) return location;
  throw invalid("store.path is :memory:, which cannot keep API keys; choose a file with --store");
}

/** Returns the key with this ID, or the only active key with this name. */
async function findKey(named: string, { keys }: Store): Promise<StoredKey> {
  const all = await keys.list();
  return keyIn(
    all.filter(({ id, revokedAtMs }) => id === named || revokedAtMs === undefined),
    named,
    "active API key",
  );
}

/** Returns the key with this ID, or the only one with this name. */
function keyIn(keys: readonly StoredKey[], named: string, kind: string): StoredKey {
  const withId = keys.filter(({ id }) => id === named);
  const found = withId.length > 0 ? withId : keys.filter(({ name }) => name === named);
  const [key, ...others] = found;
  if (key === undefined) {
    const remedy = "list all keys with `longhaul keys list`";
    throw invalid(`no ${kind} has the ID or name "${named}"; ${remedy}`);
  }
  if (others.length === 0) return key;
  const ids = found.map(({ id }) => id).join(", ");
  throw invalid(`${found.length} API keys are named "${named}"; use an ID: ${ids}`);
}

interface PrintOptions {
  readonly store: Store;
  readonly flags: KeysFlags;
  readonly terminal: Terminal;
}

async function printKey(id: string, { store, flags, terminal }: PrintOptions): Promise<void> {
  const key = await withUsage(await findKey(id, store), store);
  if (flags.json === true) printJson(key, terminal);
  else terminal.write(`${describeKey(key)}\n`);
}

async function withUsage(key: StoredKey, store: Store): Promise<ShownKey> {
  const [shown] = await showKeys([key], store, Date.now());
  if (shown === undefined) throw new LonghaulError("internal.bug", "a key is not shown");
  return shown;
}

function contextIn({ context: file }: KeyFlags, terminal: Terminal): JsonObject | undefined {
  if (file === undefined) return undefined;
  const settings = readYaml(userFile(file, terminal));
  if (isJsonObject(settings)) return settings;
  throw invalid(`${file} must be an object with settings, like the \`context\` section of a configuration`);
}

function requireValid(schema: typeof newKeySchema | typeof keyChangeSchema, value: unknown): void {
  const { error } = checkValue(schema, value);
  if (error !== undefined) throw invalidSettings("the API key", schemaFaults(error));
}

export function describeKey(key: ShownKey): string {
  return describeRows([key]).join("");
}

function describeKeys(keys: readonly ShownKey[], { bold }: Style): string {
  const [head = "", ...rows] = describeRows(keys, HEAD);
  return `${bold(head)}\n${rows.map((row) => `${row}\n`).join("")}`;
}

const HEAD = ["Name", "ID", "Key", "Created", "State", "Tenant"];

/** Returns the rows of keys in columns, each followed by its models, limits and settings. */
function describeRows(keys: readonly ShownKey[], ...heads: readonly (readonly string[])[]): string[] {
  const rows = [...heads, ...keys.map(cellsOf)];
  const widths = HEAD.map((_, column) => Math.max(...rows.map((row) => row[column]?.length ?? 0)));
  return rows.map((row, index) => {
    const key = keys[index - heads.length];
    const details = key === undefined ? [] : [...modelsLine(key), ...limitLines(key), ...settingsLine(key)];
    const line = row.map((cell, column) => cell.padEnd(widths[column] ?? 0)).join("  ");
    return [line.trimEnd(), ...details.map((detail) => `    ${detail}`)].join("\n");
  });
}

function cellsOf({ id, name, hint, tenant, createdAtMs, revokedAtMs }: ShownKey): string[] {
  const state = revokedAtMs === undefined ? "active" : `revoked ${dayOf(revokedAtMs)}`;
  return [name, id, hint, dayOf(createdAtMs), state, tenant === id ? "" : tenant];
}

function dayOf(atMs: number): string {
  return new Date(atMs).toISOString().slice(0, "2026-01-01".length);
}

const DESCRIBE_LIMIT: { readonly [Name in keyof Required<KeyLimits>]: (used: KeyUse, limit: number) => string } = table(
  {
    requestsPerMinute: ({ requestsThisMinute }, limit) =>
      `${formatCount(requestsThisMinute)} of ${formatCount(limit)} requests this minute`,
    concurrent: ({ underWay }, limit) => `${formatCount(underWay)} of ${formatCount(limit)} concurrent requests`,
    usdPerDay: ({ usdToday }, limit) => `${formatUsd(usdToday)} of ${formatUsd(limit)} spent today`,
    usdPerMonth: ({ usdThisMonth }, limit) => `${formatUsd(usdThisMonth)} of ${formatUsd(limit)} spent this month`,
  },
);

function modelsLine({ models }: ShownKey): string[] {
  return models.length === 0 ? [] : [`models: ${models.join(", ")}`];
}

function limitLines({ limits, used }: ShownKey): string[] {
  return LIMIT_NAMES.flatMap((name) => {
    const limit = limits[name];
    return limit === undefined ? [] : [DESCRIBE_LIMIT[name](used, limit)];
  });
}

function settingsLine({ context }: ShownKey): string[] {
  const names = Object.keys(context);
  return names.length === 0 ? [] : [`context settings: ${names.join(", ")}`];
}

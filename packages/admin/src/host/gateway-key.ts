import { hash, randomBytes } from "node:crypto";
import type { Events, KeyUse, Limits, StoredKey } from "@longhaul/store";

/** A new key and its stored form, from which the key cannot be restored. */
export interface NewKey {
  readonly key: string;
  readonly stored: StoredKey;
}

/** The properties of a new key. */
export interface KeyOptions
  extends Pick<StoredKey, "name" | "createdAtMs">,
    Partial<Pick<StoredKey, "models" | "limits" | "context">> {
  /** @default the key's own id, so that it shares nothing with other keys */
  readonly tenant?: string | undefined;
}

const PREFIX = "lh_";
const KEY_BYTES = 32;
const ID_BYTES = 8;
const DIGITS = "0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz";
/** The length of 32 bytes in base 62. */
const KEY_DIGITS = 43;
const HINT_CHARS = PREFIX.length + 4;

/** Creates a random key. */
export function makeKey(options: KeyOptions): NewKey {
  const { name, tenant, models = [], limits = {}, context = {}, createdAtMs } = options;
  const key = PREFIX + toBase62(randomBytes(KEY_BYTES)).padStart(KEY_DIGITS, "0");
  const id = `key_${randomBytes(ID_BYTES).toString("hex")}`;
  const hint = `${key.slice(0, HINT_CHARS)}…`;
  const stored = { id, name, hash: hashKey(key), hint, tenant: tenant ?? id, models, limits, context, createdAtMs };
  return { key, stored };
}

/** Returns the hash that a key is found by. A key has as much entropy as the hash, so it needs neither salt nor a slow hash. */
export function hashKey(key: string): string {
  return hash("sha256", key);
}

const KEY_FORM = new RegExp(`^${PREFIX}[0-9A-Za-z]{${KEY_DIGITS}}$`);

/** Returns whether a credential has the form of a gateway key, which no vendor's key has. */
export function isKeyForm(credential: string): boolean {
  return KEY_FORM.test(credential);
}

function toBase62(bytes: Uint8Array): string {
  let rest = bytes.reduce((sum, byte) => sum * 256n + BigInt(byte), 0n);
  let digits = "";
  for (; rest > 0n; rest /= 62n) digits = DIGITS.charAt(Number(rest % 62n)) + digits;
  return digits;
}

/** A key without its hash, with its usage. */
export interface ShownKey extends Omit<StoredKey, "hash" | "models"> {
  readonly models: string[];
  readonly used: KeyUse;
}

/** Returns keys without their hashes, with their usage at a time. Amounts are those of all recorded requests, as in every other report. */
export async function showKeys(
  keys: readonly StoredKey[],
  { limits, events }: { readonly limits: Pick<Limits, "used">; readonly events: Pick<Events, "totals"> },
  nowMs: number,
): Promise<ShownKey[]> {
  const now = new Date(nowMs);
  const monthMs = Date.UTC(now.getUTCFullYear(), now.getUTCMonth());
  const todayMs = Date.UTC(now.getUTCFullYear(), now.getUTCMonth(), now.getUTCDate());
  const totals = await events.totals({ sinceMs: monthMs, untilMs: nowMs + 1, bucket: "day", by: "keyId" });
  const spent = (id: string, sinceMs: number) =>
    totals
      .filter(({ group, atMs }) => group === id && atMs >= sinceMs)
      .reduce((sum, { costUsd, condensingUsd }) => sum + costUsd + condensingUsd, 0);
  return await Promise.all(
    keys.map(async ({ hash: _, ...key }) => {
      const used = await limits.used(key.id, nowMs);
      const usd = { usdToday: spent(key.id, todayMs), usdThisMonth: spent(key.id, monthMs) };
      return { ...key, models: [...key.models], used: { ...used, ...usd } };
    }),
  );
}

type Headers = Readonly<Record<string, string>>;

/** Lets a client send a gateway key and a vendor's key in the usual header. */
const OWN_HEADER = "x-longhaul-key";
const KEY_HEADERS = [OWN_HEADER, "authorization", "x-api-key", "x-goog-api-key"] as const;

/**
 * Removes the gateway key from a client's headers, so that it never reaches an upstream. The other headers may contain the client's own
 * credential for one.
 */
export function takeGatewayKey(headers: Headers): { readonly key?: string; readonly headers: Headers } {
  const shown = KEY_HEADERS.filter((name) => headers[name] !== undefined);
  const found = shown.flatMap((name) =>
    // Splits off the scheme of a bearer token, and two headers of the same name, which Node joins with a comma.
    (headers[name] ?? "")
      .split(/[\s,]+/)
      .filter(isKeyForm)
      .map((key) => ({ name, key })),
  );
  const own = headers[OWN_HEADER];
  if (own === undefined && found.length === 0) return { headers };
  const taken = new Set<string>([OWN_HEADER, ...found.map(({ name }) => name)]);
  const left = Object.entries(headers).filter(([name]) => !taken.has(name));
  return { key: own?.trim() ?? found[0]?.key ?? "", headers: Object.fromEntries(left) };
}

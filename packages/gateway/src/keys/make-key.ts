import { hash, randomBytes } from "node:crypto";
import type { StoredKey } from "@longhaul/store";

/** A key that was just made. */
export interface NewKey {
  /** The key itself, which nobody can tell again. */
  readonly key: string;
  /** What is kept of it. */
  readonly stored: StoredKey;
}

/** What whoever makes a key says of it. */
export interface KeyWish
  extends Pick<StoredKey, "name" | "createdAtMs">,
    Partial<Pick<StoredKey, "limits" | "context">> {
  /** @default its conversations are its own */
  readonly tenant?: string | undefined;
}

const PREFIX = "lh_";
const KEY_BYTES = 32;
const ID_BYTES = 8;
const DIGITS = "0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz";
/** As many as 32 bytes have in base 62. */
const KEY_DIGITS = 43;
const HINT_CHARS = PREFIX.length + 4;

/** Makes a key. What is kept of it opens nothing. */
export function makeKey({ name, tenant, limits = {}, context = {}, createdAtMs }: KeyWish): NewKey {
  const key = PREFIX + inBase62(randomBytes(KEY_BYTES)).padStart(KEY_DIGITS, "0");
  const id = `key_${randomBytes(ID_BYTES).toString("hex")}`;
  const hint = `${key.slice(0, HINT_CHARS)}…`;
  const stored = { id, name, hash: hashKey(key), hint, tenant: tenant ?? id, limits, context, createdAtMs };
  return { key, stored };
}

/** What a key is found by. It has as much chance in it as the hash is long, so the hash needs no salt and no slowness. */
export function hashKey(key: string): string {
  return hash("sha256", key);
}

const KEY_FORM = new RegExp(`^${PREFIX}[0-9A-Za-z]{${KEY_DIGITS}}$`);

/** Whether a credential has the form of this gateway's keys, which no vendor's have. */
export function isKeyForm(credential: string): boolean {
  return KEY_FORM.test(credential);
}

function inBase62(bytes: Uint8Array): string {
  let rest = bytes.reduce((sum, byte) => sum * 256n + BigInt(byte), 0n);
  let digits = "";
  for (; rest > 0n; rest /= 62n) digits = DIGITS.charAt(Number(rest % 62n)) + digits;
  return digits;
}

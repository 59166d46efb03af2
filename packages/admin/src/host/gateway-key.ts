import { hash, randomBytes } from "node:crypto";
import type { KeyUse, Limits, StoredKey } from "@longhaul/store";

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

/** A key as it is shown: never what it is found by. */
export interface ShownKey extends Omit<StoredKey, "hash"> {
  readonly used: KeyUse;
}

/** What may be told of a key, and what it has used. */
export async function showKey(stored: StoredKey, limits: Pick<Limits, "used">, nowMs: number): Promise<ShownKey> {
  const { hash: _, ...key } = stored;
  return { ...key, used: await limits.used(key.id, nowMs) };
}

/** A client's headers, apart from the gateway's own key. */
export interface Taken {
  /** Absent where the client showed none. */
  readonly key?: string;
  /** What is left, which may hold the client's own credential for an upstream. */
  readonly headers: Readonly<Record<string, string>>;
}

/** Where a client can show a gateway key and keep the usual header for a vendor's. */
const OWN_HEADER = "x-longhaul-key";
const KEY_HEADERS = [OWN_HEADER, "authorization", "x-api-key", "x-goog-api-key"] as const;

/** Takes the gateway's key out of a client's headers, wherever it stands: it is nobody else's business. */
export function takeGatewayKey(headers: Readonly<Record<string, string>>): Taken {
  const shown = KEY_HEADERS.filter((name) => headers[name] !== undefined);
  const found = shown.flatMap((name) =>
    tokensIn(headers[name] ?? "")
      .filter(isKeyForm)
      .map((key) => ({ name, key })),
  );
  const own = headers[OWN_HEADER];
  if (own === undefined && found.length === 0) return { headers };
  const taken = new Set<string>([OWN_HEADER, ...found.map(({ name }) => name)]);
  const left = Object.entries(headers).filter(([name]) => !taken.has(name));
  return { key: own?.trim() ?? found[0]?.key ?? "", headers: Object.fromEntries(left) };
}

/** A scheme stands before a bearer token, and a comma between two headers of one name. */
function tokensIn(text: string): string[] {
  return text.split(/[\s,]+/);
}

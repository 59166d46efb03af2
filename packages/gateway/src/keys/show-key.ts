import type { KeyUse, Limits, StoredKey } from "@longhaul/store";

/** A key as it is shown: never what it is found by. */
export interface ShownKey extends Omit<StoredKey, "hash"> {
  readonly used: KeyUse;
}

/** What may be told of a key, and what it has used. */
export async function showKey(stored: StoredKey, limits: Pick<Limits, "used">, nowMs: number): Promise<ShownKey> {
  const { hash: _, ...key } = stored;
  return { ...key, used: await limits.used(key.id, nowMs) };
}

import { Caller, type KeyHolder } from "../keys/caller.ts";

/** Makes a caller from its headers, or from a gateway key. */
export function makeCaller(headers: Readonly<Record<string, string>> = {}, key?: Partial<KeyHolder>): Caller {
  return new Caller(key && { tenant: "t", keyId: "k", name: "ci", models: [], limits: {}, ...key }, headers);
}

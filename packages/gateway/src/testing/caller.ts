import { Caller, type KeyHolder } from "../keys/caller.ts";

/** A caller without a gateway key, by its headers; with one, the holder of that key. */
export function makeCaller(headers: Readonly<Record<string, string>> = {}, key?: Partial<KeyHolder>): Caller {
  return new Caller(key && { tenant: "t", keyId: "k", name: "ci", limits: {}, ...key }, headers);
}

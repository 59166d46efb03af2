import { hash } from "node:crypto";
import { clientCredential } from "@longhaul/upstream";
import type { Call } from "./call.ts";

/** The tenant of the gateway's key, else whoever holds the credential; the credential itself is not kept. */
export function ownerOf({ caller, headers }: Pick<Call, "caller" | "headers">): string {
  return hash("sha256", caller === undefined ? (clientCredential(headers) ?? "") : `${NO_CREDENTIAL}${caller.tenant}`);
}

/** Stands in no header, so that no tenant is taken for a credential. */
const NO_CREDENTIAL = "\0";

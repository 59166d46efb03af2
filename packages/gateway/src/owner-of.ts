import { hash } from "node:crypto";
import { clientCredential } from "@longhaul/upstream";
import type { Call } from "./call.ts";

/** Whoever holds the credential; the credential itself is not kept. */
export function ownerOf({ headers }: Pick<Call, "headers">): string {
  return hash("sha256", clientCredential(headers) ?? "");
}

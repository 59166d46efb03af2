import type { JsonValue } from "@longhaul/conversation";
import { optionalString } from "../fields/read.ts";

/** Stands between a namespace and a name. No tool may have it in its name, so that other formats are given another name for such a tool. */
const BETWEEN = "/";

/** Names that tools of a namespace have. */
export const JOINED = new RegExp(`^[^${BETWEEN}]+${BETWEEN}`);

/** One name for a tool that may stand in a namespace. */
export function joinName(name: string, namespace: JsonValue | undefined): string {
  const space = optionalString(namespace) ?? "";
  return space === "" ? name : `${space}${BETWEEN}${name}`;
}

/**
 * Returns the name of the tool that an item calls. A tool that the model found by searching is in a namespace of its own name, which the
 * client did not define.
 */
export function calledName(name: string, namespace: JsonValue | undefined): string {
  return namespace === name ? name : joinName(name, namespace);
}

/** The fields by which an item names a tool. */
export function spellName(joined: string): { readonly name: string; readonly namespace?: string } {
  const at = joined.indexOf(BETWEEN);
  if (at <= 0) return { name: joined };
  return { name: joined.slice(at + BETWEEN.length), namespace: joined.slice(0, at) };
}

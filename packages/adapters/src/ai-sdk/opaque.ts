import type { OpaqueBlock } from "@longhaul/conversation";
import { toJson } from "../to-json.ts";

/** A part that is kept or dropped whole, as a block. */
export function opaque(part: { readonly type: string; readonly providerOptions?: unknown }): OpaqueBlock {
  const { providerOptions: _, ...rest } = part;
  return { type: "opaque", kind: part.type.replaceAll("-", "_"), native: { wire: "ai-sdk", value: toJson(rest) } };
}

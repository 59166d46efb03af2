import { findCodec } from "@longhaul/wire";

/** OpenTelemetry's name for what a request wanted. */
export function operationName({ wire, action }: { readonly wire: string; readonly action: string }): string {
  return action === "generate" ? (findCodec(wire)?.api.operation ?? "chat") : action;
}

import { table } from "@longhaul/conversation";
import { findCodec } from "@longhaul/wire";

/** What OpenTelemetry calls the places where models run. */
const PROVIDERS: Readonly<Record<string, string>> = table({
  anthropic: "anthropic",
  openai: "openai",
  google: "gcp.gemini",
  vertex: "gcp.vertex_ai",
  bedrock: "aws.bedrock",
  openrouter: "openrouter",
});

/** OpenTelemetry's name for a platform of the catalog; empty where nothing is known. */
export function providerName(platform: string): string {
  return PROVIDERS[platform] ?? (platform === "" ? "" : "_OTHER");
}

/** OpenTelemetry's name for what a request wanted. */
export function operationName({ wire, action }: { readonly wire: string; readonly action: string }): string {
  return action === "generate" ? (findCodec(wire)?.api.operation ?? "chat") : action;
}

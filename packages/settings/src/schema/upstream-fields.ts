import { neededSettings, UPSTREAM_KINDS, type UpstreamKindName } from "@longhaul/models/kinds";
import { upstreamSchema } from "./config.ts";

/** Returns the fields of an upstream that its kind uses, those for its address and authentication first. */
export function upstreamFields(kind: UpstreamKindName): string[] {
  const { auth, builtIn, deployments } = UPSTREAM_KINDS[kind];
  const isExternal = builtIn === undefined;
  const needed = new Set<string>(neededSettings(kind));
  const used = new Map<string, boolean>([
    ["baseUrl", isExternal],
    ["apiKey", isExternal && auth === "key"],
    ["region", needed.has("region")],
    ["project", needed.has("project")],
    ["credentialsFile", auth === "google"],
    ["accessKeyId", auth === "aws"],
    ["secretAccessKey", auth === "aws"],
    ["sessionToken", auth === "aws"],
    ["wire", isExternal && deployments.some(({ api }) => api === "openai")],
    ["blockedBetas", deployments.some(({ wires }) => wires.includes("anthropic-messages"))],
    ["saysSimulated", !isExternal],
  ]);
  return Object.keys(upstreamSchema.shape).filter((name) => used.get(name) ?? true);
}

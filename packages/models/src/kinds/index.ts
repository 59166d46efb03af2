import { table } from "@longhaul/conversation";
import { ANTHROPIC } from "./anthropic.ts";
import { BEDROCK } from "./bedrock.ts";
import { GEMINI } from "./gemini.ts";
import { OPENAI } from "./openai.ts";
import { OPENAI_COMPATIBLE } from "./openai-compatible.ts";
import { OPENROUTER } from "./openrouter.ts";
import { SIMULATOR } from "./simulator.ts";
import type { UpstreamKind, UpstreamSetting } from "./upstream-kind.ts";
import { VERTEX } from "./vertex.ts";

export type * from "./upstream-kind.ts";

const KINDS = {
  anthropic: ANTHROPIC,
  openai: OPENAI,
  "openai-compatible": OPENAI_COMPATIBLE,
  gemini: GEMINI,
  openrouter: OPENROUTER,
  bedrock: BEDROCK,
  vertex: VERTEX,
  simulator: SIMULATOR,
} as const;

/** What a configuration calls a kind of upstream. */
export type UpstreamKindName = keyof typeof KINDS;

/** The kinds of upstream that a configuration can name. */
export const UPSTREAM_KINDS: Readonly<Record<UpstreamKindName, UpstreamKind>> = table(KINDS);

/** Their names, in the order in which they are listed. */
export const UPSTREAM_KIND_NAMES: readonly UpstreamKindName[] = Object.keys(KINDS).filter(isKindName);

function isKindName(name: string): name is UpstreamKindName {
  return Object.hasOwn(KINDS, name);
}

/** The kind that runs inside the gateway. */
export const BUILT_IN_KIND: UpstreamKindName = "simulator";

/** The kind of any server that speaks as OpenAI does. */
export const COMPATIBLE_KIND: UpstreamKindName = "openai-compatible";

/** Returns the settings that an upstream needs: those of its kind, and those that its address names. */
export function neededSettings(kind: UpstreamKindName, baseUrl?: string): UpstreamSetting[] {
  const { needs, deployments } = UPSTREAM_KINDS[kind];
  const usual = deployments[0].baseUrl;
  const named = (["project", "region"] as const).filter((name) => {
    return [usual, baseUrl ?? usual].every((address) => address.includes(`{${name}}`));
  });
  return [...new Set([...needs, ...named])];
}

/** Returns the kind that other tools call by this name. */
export function kindNamed(name: string): UpstreamKindName | undefined {
  return UPSTREAM_KIND_NAMES.find((kind) => UPSTREAM_KINDS[kind].importedNames.includes(name));
}

/** Returns the kind whose vendor serves a host; absent where nothing is known of it. */
export function kindAt(hostname: string): UpstreamKindName | undefined {
  return UPSTREAM_KIND_NAMES.find((kind) => {
    const { builtIn, deployments } = UPSTREAM_KINDS[kind];
    if (builtIn !== undefined || neededSettings(kind).length > 0) return false;
    const host = /^https:\/\/([^/]+)/.exec(deployments[0].baseUrl)?.[1] ?? "";
    return hostname === host || hostname.endsWith(`.${host}`);
  });
}

const TELEMETRY_NAMES = new Map(
  Object.values(UPSTREAM_KINDS).flatMap(({ deployments }) =>
    deployments.map(({ platform, telemetryName }) => [platform, telemetryName] as const),
  ),
);

/** Returns OpenTelemetry's name for a platform of the catalog; empty where there is none. */
export function telemetryName(platform: string): string {
  return TELEMETRY_NAMES.get(platform) ?? (platform === "" ? "" : "_OTHER");
}

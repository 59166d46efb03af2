import { table } from "@longhaul/conversation/advanced";
import { ANTHROPIC } from "./anthropic.ts";
import { BEDROCK } from "./bedrock.ts";
import { GEMINI } from "./gemini.ts";
import { OPENAI } from "./openai.ts";
import { OPENAI_COMPATIBLE } from "./openai-compatible.ts";
import { OPENROUTER } from "./openrouter.ts";
import { SIMULATOR } from "./simulator.ts";
import type { CredentialForm, KeyHeader, UpstreamKind, UpstreamSetting } from "./upstream-kind.ts";
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

/** Name of an upstream kind in the configuration. */
export type UpstreamKindName = keyof typeof KINDS;

/** The upstream kinds by name. */
export const UPSTREAM_KINDS: Readonly<Record<UpstreamKindName, UpstreamKind>> = table(KINDS);

/** Names of the upstream kinds, in display order. */
export const UPSTREAM_KIND_NAMES: readonly UpstreamKindName[] = Object.keys(KINDS).filter(
  (name): name is UpstreamKindName => Object.hasOwn(KINDS, name),
);

/** The kind that runs inside the gateway. */
export const BUILT_IN_KIND: UpstreamKindName = "simulator";

/** The kind of OpenAI-compatible servers. */
export const COMPATIBLE_KIND: UpstreamKindName = "openai-compatible";

/** Returns the settings that an upstream needs: those of its kind, and the placeholders in its URL. */
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

/** Returns the kind of the vendor that serves a host, if known. */
export function kindAt(hostname: string): UpstreamKindName | undefined {
  return UPSTREAM_KIND_NAMES.find((kind) => {
    const { builtIn, deployments } = UPSTREAM_KINDS[kind];
    if (builtIn !== undefined || neededSettings(kind).length > 0) return false;
    const host = /^https:\/\/([^/]+)/.exec(deployments[0].baseUrl)?.[1] ?? "";
    return hostname === host || hostname.endsWith(`.${host}`);
  });
}

/** A kind whose credentials can be recognized. */
export interface RecognizedKind {
  readonly kind: UpstreamKindName;
  readonly credential: CredentialForm;
}

/** The kinds whose credentials can be recognized. */
export const RECOGNIZED_KINDS: readonly RecognizedKind[] = UPSTREAM_KIND_NAMES.flatMap((kind) => {
  const { credential } = UPSTREAM_KINDS[kind];
  return credential === undefined ? [] : [{ kind, credential }];
});

/** The vendors whose credentials can be recognized, as a text: `Anthropic, OpenAI or Gemini`. */
export const RECOGNIZED_VENDORS: string = RECOGNIZED_KINDS.map(({ credential }) => credential.vendor)
  .join(", ")
  .replace(/, (\w+)$/, " or $1");

const KEY_HEADERS: readonly KeyHeader[] = ["x-api-key", "authorization", "x-goog-api-key"];

/**
 * Returns the kind whose own credential a request carries. If it carries several, all must belong to the same vendor: which one is sent on
 * depends on the upstream.
 */
export function credentialKind(headers: Readonly<Record<string, string>>): UpstreamKindName | undefined {
  const sent = KEY_HEADERS.filter((header) => headers[header]);
  if (sent.length === 0) return undefined;
  return RECOGNIZED_KINDS.find(({ credential }) =>
    sent.every((header) => credential.headers.includes(header) && credential.form.test(bare(header, headers[header]))),
  )?.kind;
}

/** Returns a header's credential; empty if `authorization` has another scheme. */
function bare(header: KeyHeader, value = ""): string {
  if (header !== "authorization") return value;
  return value.startsWith("Bearer ") ? value.slice("Bearer ".length) : "";
}

const TELEMETRY_NAMES = new Map(
  Object.values(UPSTREAM_KINDS).flatMap(({ deployments }) =>
    deployments.map(({ platform, telemetryName }) => [platform, telemetryName] as const),
  ),
);

/** Returns OpenTelemetry's name for a platform of the catalog, or an empty string. */
export function telemetryName(platform: string): string {
  return TELEMETRY_NAMES.get(platform) ?? (platform === "" ? "" : "_OTHER");
}

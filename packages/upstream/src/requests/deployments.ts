import { table, type WireId } from "@longhaul/conversation/advanced";
import {
  type DeploymentFacts,
  UPSTREAM_KIND_NAMES,
  UPSTREAM_KINDS,
  type UpstreamKindName,
} from "@longhaul/models/kinds";
import type { Deployment, Outgoing } from "./upstream.ts";
import {
  anthropicPath,
  bedrockBody,
  bedrockPath,
  geminiPath,
  openaiPath,
  vertexBody,
  vertexClaudePath,
  vertexGeminiPath,
} from "./vendor-apis.ts";

/** Returns the deployments behind an upstream of a kind. */
export function deploymentsOf(kind: UpstreamKindName): readonly [Deployment, ...Deployment[]] {
  const [first, ...others] = UPSTREAM_KINDS[kind].deployments;
  return [deploymentOf(first), ...others.map(deploymentOf)];
}

function deploymentOf(facts: DeploymentFacts): Deployment {
  return { ...facts, ...APIS[facts.api] };
}

const APIS: Readonly<Record<DeploymentFacts["api"], Pick<Deployment, "path" | "shapeBody">>> = table({
  anthropic: { path: anthropicPath },
  openai: { path: openaiPath },
  gemini: { path: geminiPath },
  bedrock: { path: bedrockPath, shapeBody: bedrockBody },
  "vertex-claude": { path: vertexClaudePath, shapeBody: vertexBody },
  "vertex-gemini": { path: vertexGeminiPath },
});

/** Returns the kinds of upstream that serve more of a format's API than its model calls. */
export function kindsPassing(wire: WireId): UpstreamKindName[] {
  const anyPath: Outgoing = { ...PASSED, wire };
  return UPSTREAM_KIND_NAMES.filter((kind) => {
    const served = deploymentsOf(kind).some(({ wires, path }) => wires.includes(wire) && path(anyPath) !== undefined);
    return served && UPSTREAM_KINDS[kind].builtIn === undefined;
  });
}

const PASSED = { action: "pass", method: "GET", model: "m", stream: false, headers: {}, path: "/any" } as const;

import type { DeploymentFacts, UpstreamKind } from "./upstream-kind.ts";

const SHARED = {
  platform: "vertex",
  telemetryName: "gcp.vertex_ai",
  baseUrl: "https://{region}-aiplatform.googleapis.com/v1/projects/{project}/locations/{region}",
  keyHeader: "authorization",
  quirks: { lacksThreads: true, hasStreamInPath: true },
} as const satisfies Partial<DeploymentFacts>;

/** Claude and Gemini on Google's Vertex AI. */
export const VERTEX: UpstreamKind = {
  deployments: [
    { api: "vertex-claude", vendor: "anthropic", wires: ["anthropic-messages"], ...SHARED },
    { api: "vertex-gemini", vendor: "google", wires: ["gemini"], ...SHARED },
  ],
  auth: "google",
  needs: ["credentialsFile"],
  environment: {
    variables: {
      credentialsFile: "GOOGLE_APPLICATION_CREDENTIALS",
      project: "GOOGLE_CLOUD_PROJECT",
      region: "GOOGLE_CLOUD_LOCATION",
    },
    needs: ["credentialsFile", "project", "region"],
    models: ["claude-*", "gemini-*"],
  },
  importedNames: ["vertex_ai", "vertex-ai"],
};

import type { UpstreamKind } from "./upstream-kind.ts";

/** Anthropic's API and compatible servers. */
export const ANTHROPIC: UpstreamKind = {
  deployments: [
    {
      api: "anthropic",
      vendor: "anthropic",
      platform: "anthropic",
      telemetryName: "anthropic",
      wires: ["anthropic-messages"],
      baseUrl: "https://api.anthropic.com",
      keyHeader: "x-api-key",
      quirks: { hasPlainModelNames: true, caching: "marks" },
    },
  ],
  auth: "key",
  needs: [],
  environment: {
    variables: { apiKey: "ANTHROPIC_API_KEY", baseUrl: "ANTHROPIC_BASE_URL" },
    needs: ["apiKey"],
    models: ["claude-*", "anthropic/*"],
  },
  // API keys are sk-ant-api03-…, OAuth tokens of a subscription sk-ant-oat01-….
  credential: { vendor: "Anthropic", headers: ["x-api-key", "authorization"], form: /^sk-ant-[\w-]{8,}$/ },
  importedNames: ["anthropic"],
};

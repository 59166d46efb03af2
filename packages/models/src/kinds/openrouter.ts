import type { UpstreamKind } from "./upstream-kind.ts";

/** OpenRouter, which serves models of all vendors. */
export const OPENROUTER: UpstreamKind = {
  deployments: [
    {
      api: "openai",
      vendor: "openrouter",
      platform: "openrouter",
      telemetryName: "openrouter",
      wires: ["openai-chat"],
      baseUrl: "https://openrouter.ai/api/v1",
      keyHeader: "authorization",
      quirks: {
        showsReasoning: "unless-excluded",
        chat: {
          maxTokensField: "max_tokens",
          reasoningField: "reasoning",
          thinkingField: "reasoning_details",
          cacheMarks: "claude",
          topK: true,
        },
      },
    },
  ],
  auth: "key",
  needs: [],
  environment: {
    variables: { apiKey: "OPENROUTER_API_KEY", baseUrl: "OPENROUTER_BASE_URL" },
    needs: ["apiKey"],
    models: ["*"],
  },
  importedNames: ["openrouter"],
};

import type { UpstreamKind } from "./upstream-kind.ts";

/** OpenAI's API. */
export const OPENAI: UpstreamKind = {
  deployments: [
    {
      api: "openai",
      vendor: "openai",
      platform: "openai",
      telemetryName: "openai",
      wires: ["openai-responses", "openai-chat"],
      baseUrl: "https://api.openai.com/v1",
      keyHeader: "authorization",
      quirks: { hasPlainModelNames: true, caching: "session-key" },
    },
  ],
  auth: "key",
  needs: [],
  environment: {
    variables: { apiKey: "OPENAI_API_KEY", baseUrl: "OPENAI_BASE_URL" },
    needs: ["apiKey"],
    models: [
      ...["gpt-*", "o1*", "o3*", "o4*", "chatgpt-*", "codex-*", "openai/*"],
      ...["text-embedding-*", "omni-moderation-*", "whisper-*", "tts-*", "dall-e-*"],
    ],
  },
  // Keys of projects and service accounts. Plain sk-… keys look like other vendors'; admin keys serve no models.
  credential: { vendor: "OpenAI", headers: ["authorization"], form: /^sk-(?:proj|svcacct)-[\w-]{8,}$/ },
  importedNames: ["openai"],
  hasCompatibleServers: true,
};

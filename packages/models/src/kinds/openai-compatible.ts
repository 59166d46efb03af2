import type { UpstreamKind } from "./upstream-kind.ts";

/** Any server with chat completions. */
export const OPENAI_COMPATIBLE: UpstreamKind = {
  deployments: [
    {
      api: "openai",
      vendor: "openai-compatible",
      platform: "other",
      telemetryName: "_OTHER",
      wires: ["openai-chat"],
      baseUrl: "http://127.0.0.1:8000/v1",
      keyHeader: "authorization",
      quirks: {
        showsReasoning: "always",
        thinksInLevels: true,
        hasTaggedModelNames: true,
        chat: { maxTokensField: "by-model", thinkingField: "reasoning_content" },
      },
    },
  ],
  auth: "key",
  needs: ["baseUrl"],
  importedNames: [],
};

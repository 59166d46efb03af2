import type { UpstreamKind } from "./upstream-kind.ts";

/** Google's Gemini API. */
export const GEMINI: UpstreamKind = {
  deployments: [
    {
      api: "gemini",
      vendor: "google",
      platform: "google",
      telemetryName: "gcp.gemini",
      wires: ["gemini"],
      baseUrl: "https://generativelanguage.googleapis.com",
      keyHeader: "x-goog-api-key",
      quirks: { hasPlainModelNames: true, hasStreamInPath: true },
    },
  ],
  auth: "key",
  needs: [],
  environment: {
    variables: { apiKey: "GEMINI_API_KEY", baseUrl: "GOOGLE_GEMINI_BASE_URL" },
    needs: ["apiKey"],
    models: ["gemini-*", "google/*", "models/gemini-*"],
  },
  importedNames: ["gemini", "google"],
};

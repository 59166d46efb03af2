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
  // Standard keys begin with AIza, newer ones with AQ and a dot.
  credential: { vendor: "Gemini", headers: ["x-goog-api-key"], form: /^(?:AIza[\w-]{8,}|AQ\.[\w.-]{8,})$/ },
  importedNames: ["gemini", "google"],
};

import { ANTHROPIC } from "./anthropic.ts";
import { GEMINI } from "./gemini.ts";
import { OPENAI } from "./openai.ts";
import type { UpstreamKind } from "./upstream-kind.ts";

/** The built-in imitations of three vendors. */
export const SIMULATOR: UpstreamKind = {
  deployments: [ANTHROPIC.deployments[0], OPENAI.deployments[0], GEMINI.deployments[0]],
  auth: "key",
  needs: [],
  importedNames: [],
  builtIn: { anyKey: "longhaul" },
};

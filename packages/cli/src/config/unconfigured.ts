import { RECOGNIZED_VENDORS } from "@longhaul/models/kinds";

/** Who answers if nothing is configured. */
export const WHO_ANSWERS = `requests that carry their own ${RECOGNIZED_VENDORS} key or login go to that vendor; the built-in simulator answers all others`;

export const CONFIGURE =
  "set ANTHROPIC_API_KEY, OPENAI_API_KEY or another vendor's API key where the gateway runs, or create longhaul.yaml";

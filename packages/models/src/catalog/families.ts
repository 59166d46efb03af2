import type { AssumedFacts } from "./model.ts";
import type { Rule } from "./rule.ts";

/** Window of a completely unknown model: the smallest of any model in use. */
const DEFAULT_WINDOW = 32_000;

const SAFE_OUTPUT = 4_096;

/** Assumptions about every model: the most cautious values that still let a request pass unchanged. */
export const DEFAULTS: AssumedFacts = {
  window: DEFAULT_WINDOW,
  maxOutput: SAFE_OUTPUT,
  tokenizer: "other",
  accounting: "inclusive",
  reasoning: {
    kind: "effort",
    levels: ["none", "low", "medium", "high"],
    onByDefault: false,
    mandatory: false,
    alwaysOnAt: [],
    thinkingTypes: [],
  },
  rejects: [],
  images: { supported: true },
  compaction: { threshold: false, onDemand: false },
  bindsThinking: false,
  betas: {},
};

/**
 * Assumptions by family. The windows are the smallest of the family's models in use, so that a fitted prompt is never too long; everything
 * else follows the family's newest members.
 */
export const FAMILIES: readonly Rule[] = [
  {
    match: "*claude*",
    source: "platform.claude.com models overview: no model in service has less than 200K",
    facts: { vendor: "anthropic", window: 200_000, maxOutput: 32_000 },
  },
  {
    match: "{gpt-,chatgpt-,o1,o3,o4}*",
    source: "developers.openai.com models: the smallest window since gpt-4-turbo",
    facts: { vendor: "openai", window: 128_000, maxOutput: 16_384, tokenizer: "o200k" },
  },
  {
    match: "gemini-*",
    source:
      "ai.google.dev models: the smallest window since Gemini 1.5 is that of the robotics and computer use models",
    facts: { vendor: "google", window: 128_000, maxOutput: 8_192, tokenizer: "gemini" },
  },
];

import { CLAUDE } from "./overlay-claude.ts";
import type { Rule } from "./rule.ts";

const MEGABYTE = 1024 * 1024;

/** Maximum prompt of a million-token GPT: the window minus 128,000 for the reply. */
const LONG_GPT = { window: 1_050_000, maxInput: 922_000 };

const REASONING_GPT_REJECTS = ["temperature", "top_p", "frequency_penalty", "presence_penalty", "max_tokens"] as const;

const TOKENIZERS: readonly Rule[] = [
  {
    match: "{gpt-,chatgpt-,o1,o3,o4,codex-mini,chat-latest}*",
    facts: { tokenizer: "o200k" },
    source: "tiktoken, model.py",
  },
  { match: "{gpt-4,gpt-4-*,gpt-3.5*}", facts: { tokenizer: "cl100k" }, source: "tiktoken, model.py" },
  { match: "{gemini,gemma}*", facts: { tokenizer: "gemini" }, source: "ai.google.dev tokens" },
];

const OPENAI: readonly Rule[] = [
  {
    match: "{o1,o3,o4,gpt-5,gpt-6,codex-mini}*",
    facts: { rejects: REASONING_GPT_REJECTS, reasoning: { onByDefault: true } },
    source: "developers.openai.com reasoning models: parameters that they reject",
  },
  {
    match: "gpt-5*-chat*",
    facts: { rejects: ["max_tokens"] },
    source: "developers.openai.com: the chat models of the family don't reason",
  },
  {
    match: "{gpt-5,gpt-5-*,gpt-5.1*,gpt-5.2*,gpt-5.3-codex,gpt-5.4-mini,gpt-5.4-nano,gpt-5.6-cyber}",
    facts: { maxInput: 272_000 },
    source: "developers.openai.com gpt-5: 400,000 is 272,000 in and 128,000 out",
  },
  {
    match: "{gpt-5-chat*,gpt-5.3-codex-spark}",
    facts: { maxInput: 128_000 },
    source: "developers.openai.com: window of 128,000",
  },
  {
    match:
      "{openai,openrouter}/*gpt-{5.4,5.4-pro,5.5,5.5-codex,5.5-pro,5.6,5.6-luna,5.6-sol,5.6-terra,6-astra,6-luna,6-sol}",
    facts: { maxInput: LONG_GPT.maxInput },
    source: "developers.openai.com gpt-5.4: 922,000 in and 128,000 out",
  },
  {
    platform: "openai",
    match: "gpt-6.1-{sol,terra}",
    facts: LONG_GPT,
    source:
      "pi-ai 1.5.0 lists 1,050,000 for it on OpenRouter and Bedrock, and the price step of 272,000 as window on OpenAI",
  },
  {
    platform: "openai",
    match: "{gpt-5.1-codex-max,gpt-5.2*,gpt-5.3*,gpt-5.4*,gpt-5.5*,gpt-5.6*,gpt-6*}",
    facts: { compaction: { threshold: true, onDemand: true } },
    source:
      "types of OpenAI's SDK: `compact_threshold` and `compaction_trigger` of the Responses API; no page lists the models, older ones are left out for safety",
  },
  {
    platform: "openai",
    match: "*",
    facts: { maxRequestBytes: 512 * MEGABYTE },
    source: "developers.openai.com images and vision: 512 MB of payload",
  },
];

const GOOGLE: readonly Rule[] = [
  {
    match: "gemini-*",
    facts: { reasoning: { kind: "level", onByDefault: true } },
    source: "ai.google.dev thinking: Gemini 3 and later take a level",
  },
  {
    match: "gemini-2.5-flash*",
    facts: {
      reasoning: {
        kind: "budget",
        levels: ["none"],
        onByDefault: true,
        mandatory: false,
        minBudgetTokens: 1,
        maxBudgetTokens: 24_576,
      },
    },
    source: "ai.google.dev thinking: 0 to 24,576",
  },
  {
    match: "gemini-2.5-flash-lite*",
    facts: { reasoning: { onByDefault: false, minBudgetTokens: 512 } },
    source: "ai.google.dev thinking: off, or 512 to 24,576",
  },
  {
    match: "gemini-2.5-pro*",
    facts: {
      reasoning: {
        kind: "budget",
        levels: [],
        onByDefault: true,
        mandatory: true,
        minBudgetTokens: 128,
        maxBudgetTokens: 32_768,
      },
    },
    source: "ai.google.dev thinking: 128 to 32,768, can't be turned off",
  },
  {
    match: "{gemini-pro,gemini-1.*,gemini-pro-1.5,gemini-flash-1.5*,gemini-2.0*}",
    facts: { reasoning: { kind: "none", levels: [], onByDefault: false, mandatory: false }, maxOutput: 8_192 },
    source: "ai.google.dev models, before thinking",
  },
  {
    match: "gemini-pro",
    facts: { window: 32_000, maxOutput: 2_048, images: { supported: false } },
    source: "the product's requirements: 32,000 (Google's page said 30,720 in and 2,048 out)",
  },
  {
    platform: "google",
    match: "*",
    facts: { maxRequestBytes: 20 * MEGABYTE, images: { maxCount: 3_600 } },
    source: "ai.google.dev image understanding: 20 MB inline, 3,600 images",
  },
];

const PLATFORMS: readonly Rule[] = [
  { platform: "bedrock", match: "*", facts: { images: { maxPerMessage: 20 } }, source: "pi-ai 1.5.0" },
  {
    platform: "bedrock",
    match: "*",
    facts: { accounting: "exclusive" },
    source: "AWS Converse TokenUsage: inputTokens leaves cached ones out",
  },
  {
    platform: "openrouter",
    match: "*",
    facts: { accounting: "inclusive" },
    source: "openrouter.ai usage accounting: prompt_tokens holds cached ones",
  },
];

const EFFORT = { kind: "effort", onByDefault: true, mandatory: true } as const;

/** Models that only the price list still has, without output limits and facts about reasoning and images. */
const RETIRED: readonly Rule[] = [
  {
    match:
      "openai/{gpt-3.5*,gpt-4-32k*,gpt-4-1106-preview,gpt-4-0125-preview,gpt-4-turbo-0125-preview,o1-mini,o1-preview}",
    facts: { maxOutput: 4_096, images: { supported: false } },
    source: "developers.openai.com deprecations",
  },
  {
    platform: "openai",
    match: "gpt-4-*vision-preview",
    facts: { maxOutput: 4_096 },
    source: "developers.openai.com deprecations",
  },
  {
    platform: "openai",
    match: "o1-preview",
    facts: { maxOutput: 32_768, reasoning: { ...EFFORT, levels: [] } },
    source: "developers.openai.com o1-preview: no effort parameter",
  },
  {
    platform: "openai",
    match: "o1-mini",
    facts: { maxOutput: 65_536, reasoning: { ...EFFORT, levels: [] } },
    source: "developers.openai.com o1-mini: no effort parameter",
  },
  {
    platform: "openai",
    match: "{codex-mini*,o3-deep-research,o4-mini-deep-research}",
    facts: { maxOutput: 100_000, reasoning: { ...EFFORT, levels: ["low", "medium", "high"] } },
    source: "developers.openai.com codex-mini, o3-deep-research",
  },
  {
    platform: "openai",
    match: "gpt-{5-codex,5.1-codex,5.1-codex-mini,5.1-mini}",
    facts: { maxOutput: 128_000, reasoning: { ...EFFORT, levels: ["low", "medium", "high"] } },
    source: "developers.openai.com gpt-5-codex",
  },
  {
    platform: "openai",
    match: "gpt-{5.1-codex-max,5.2-codex,5.5-codex}",
    facts: { maxOutput: 128_000, reasoning: { ...EFFORT, levels: ["low", "medium", "high", "xhigh"] } },
    source: "developers.openai.com gpt-5.1-codex-max",
  },
  {
    platform: "openai",
    match: "gpt-5.6",
    facts: {
      maxOutput: 128_000,
      reasoning: { ...EFFORT, mandatory: false, levels: ["none", "low", "medium", "high", "xhigh", "max"] },
    },
    source: "developers.openai.com gpt-5.6: another name of gpt-5.6-sol",
  },
];

/**
 * Corrections and additions to the packages that the catalog is built from. Later entries win over earlier ones. Every entry must name its
 * source.
 */
export const OVERLAY: readonly Rule[] = [...TOKENIZERS, ...OPENAI, ...GOOGLE, ...RETIRED, ...CLAUDE, ...PLATFORMS];

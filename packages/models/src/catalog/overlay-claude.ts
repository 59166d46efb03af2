import { betasOn } from "./betas.ts";
import type { Rule } from "./rule.ts";

const MEGABYTE = 1024 * 1024;

const SAMPLING = ["temperature", "top_p", "top_k"] as const;
const UP_TO_HIGH = ["low", "medium", "high"] as const;
const UP_TO_MAX = [...UP_TO_HIGH, "xhigh", "max"] as const;

const NO_THINKING = { kind: "none", levels: [], onByDefault: false, mandatory: false, thinkingTypes: [] } as const;
const BUDGET = { kind: "budget", onByDefault: false, mandatory: false, minBudgetTokens: 1_024 } as const;

/** Facts of the newest models, also assumed for any unlisted Claude. */
const NEWEST: readonly Rule[] = [
  {
    match: "*claude*",
    facts: { vendor: "anthropic", accounting: "exclusive" },
    source: "platform.claude.com prompt caching: input_tokens leaves cached ones out",
  },
  {
    match: "*claude*",
    facts: { tokenizer: "claude-5" },
    source: "platform.claude.com models: the tokenizer since Opus 4.7, about 30% more tokens for the same text",
  },
  {
    match: "*claude*",
    facts: { bindsThinking: true },
    source: "platform.claude.com preserved thinking: Fable 5.1 and later models",
  },
  {
    match: "*claude*",
    facts: {
      reasoning: {
        kind: "adaptive",
        levels: UP_TO_MAX,
        onByDefault: true,
        mandatory: true,
        thinkingTypes: ["adaptive"],
      },
    },
    source:
      "platform.claude.com thinking troubleshooting (Fable, Mythos); pi-ai 1.5.0 and OpenRouter (Opus 5.5, Sonnet 5.5)",
  },
  {
    match: "*claude*",
    facts: { rejects: [...SAMPLING, "prefill"] },
    source: "platform.claude.com migration: sampling is rejected after Opus 4.6, prefill since 4.6",
  },
  {
    match: "*claude*",
    facts: { images: { maxBytes: 5 * MEGABYTE, maxSide: 8_000 } },
    source: "platform.claude.com vision: 5 MB and 8000 × 8000 px for one image",
  },
];

const OLDER: readonly Rule[] = [
  {
    match: "claude-{1,2,v1,v2,instant,3,opus-4,sonnet-4,haiku-4}*",
    facts: { tokenizer: "claude", bindsThinking: false, rejects: ["system-message"] },
    source: "platform.claude.com models; mid-conversation system messages: newer models only",
  },
  {
    match: "claude-opus-{4-7,4-8}",
    facts: { tokenizer: "claude-5" },
    source: "platform.claude.com models: new tokenizer",
  },
  {
    match: "claude-{opus-5,sonnet-5,fable-5,mythos-5,mythos-preview}",
    facts: { bindsThinking: false },
    source: "platform.claude.com preserved thinking: from Fable 5.1 on",
  },
];

const TROUBLESHOOTING = "platform.claude.com thinking troubleshooting: types per model";

/** Thinking types and effort levels that differ from the newest models' (pages "thinking troubleshooting" and "effort"). */
const THINKING: readonly Rule[] = [
  {
    match: "claude-{1,2,v1,v2,instant,3}*",
    facts: { reasoning: NO_THINKING },
    source: "platform.claude.com: before extended thinking",
  },
  {
    match: "claude-{3-7-sonnet,opus-4,opus-4-1,sonnet-4,haiku-4-5,sonnet-4-5}",
    facts: { reasoning: { ...BUDGET, levels: ["none"], thinkingTypes: ["enabled", "disabled"] } },
    source: TROUBLESHOOTING,
  },
  {
    match: "claude-opus-4-5",
    facts: { reasoning: { ...BUDGET, levels: ["none", ...UP_TO_HIGH], thinkingTypes: ["enabled", "disabled"] } },
    source: "platform.claude.com effort: Opus 4.5 takes an effort beside a budget",
  },
  {
    match: "claude-{opus,sonnet}-4-6",
    facts: {
      reasoning: {
        mandatory: false,
        onByDefault: false,
        levels: ["none", ...UP_TO_HIGH, "max"],
        thinkingTypes: ["adaptive", "enabled", "disabled"],
        minBudgetTokens: 1_024,
      },
    },
    source: TROUBLESHOOTING,
  },
  {
    match: "claude-{opus-4-7,opus-4-8,opus-5,sonnet-5,haiku-5-5}",
    facts: { reasoning: { mandatory: false, levels: ["none", ...UP_TO_MAX], thinkingTypes: ["adaptive", "disabled"] } },
    source: TROUBLESHOOTING,
  },
  { match: "claude-opus-{4-7,4-8}", facts: { reasoning: { onByDefault: false } }, source: TROUBLESHOOTING },
  {
    match: "claude-opus-5",
    facts: { reasoning: { alwaysOnAt: ["xhigh", "max"] } },
    source: "platform.claude.com thinking troubleshooting: Opus 5 rejects disabled at xhigh and max",
  },
  {
    match: "claude-mythos-preview",
    facts: { reasoning: { thinkingTypes: ["adaptive", "enabled"], minBudgetTokens: 1_024 } },
    source: TROUBLESHOOTING,
  },
];

/** A narrower entry repeats the wider one, because lists are replaced. */
const REJECTS: readonly Rule[] = [
  {
    match: "claude-{opus,sonnet}-4-6",
    facts: { rejects: ["prefill", "system-message"] },
    source: "platform.claude.com prefill: rejected since 4.6",
  },
  {
    match: "claude-{opus-4-7,sonnet-5}",
    facts: { rejects: [...SAMPLING, "prefill", "system-message"] },
    source: "platform.claude.com migration; mid-conversation system messages",
  },
  {
    match: "claude-opus-4-8",
    facts: { rejects: [...SAMPLING, "prefill"] },
    source: "platform.claude.com migration; mid-conversation system messages",
  },
  {
    match: "claude-{fable,mythos}-5-1",
    facts: { rejects: [...SAMPLING, "prefill", "forced-tool-choice"] },
    source: "platform.claude.com tool use: types tool and any are rejected",
  },
];

const CONTEXT: readonly Rule[] = [
  {
    match: "claude-{fable-5,mythos-5,mythos-preview,opus-4-6,opus-4-7,opus-4-8,opus-5,sonnet-4-6,sonnet-5}",
    facts: { compaction: { threshold: true, onDemand: true } },
    source: "platform.claude.com compaction: models with a threshold",
  },
  {
    match: "claude-{fable-5-1,mythos-5-1,opus-5-5,sonnet-5-5,haiku-5-5}",
    facts: { compaction: { threshold: false, onDemand: true } },
    source: "platform.claude.com compaction: on demand only",
  },
  {
    platform: "bedrock",
    match: "*claude*",
    facts: { compaction: { onDemand: false } },
    source: "platform.claude.com compaction: not on Bedrock",
  },
  {
    platform: "openrouter",
    match: "*claude*",
    facts: { compaction: { threshold: false, onDemand: false } },
    source: "openrouter.ai: has its own context compression instead",
  },
];

/** Output limits of models that only the price list still has. */
const RETIRED: readonly Rule[] = [
  { match: "claude-{2,3}*", facts: { maxOutput: 4_096 }, source: "platform.claude.com model deprecations" },
  { match: "claude-3-5-*", facts: { maxOutput: 8_192 }, source: "platform.claude.com model deprecations" },
  {
    match: "claude-{3-7-sonnet,sonnet-4}",
    facts: { maxOutput: 64_000 },
    source: "platform.claude.com model deprecations",
  },
  { match: "claude-opus-{4,4-1}", facts: { maxOutput: 32_000 }, source: "platform.claude.com model deprecations" },
  {
    match: "claude-2",
    facts: { window: 100_000 },
    source: "platform.claude.com model deprecations: 200K came with 2.1",
  },
  { match: "claude-2*", facts: { images: { supported: false } }, source: "platform.claude.com vision: since Claude 3" },
];

const PLATFORMS: readonly Rule[] = [
  {
    platform: "anthropic",
    match: "*",
    facts: { maxRequestBytes: 32 * MEGABYTE, betas: betasOn("anthropic") },
    source: "platform.claude.com API overview: 32 MB",
  },
  {
    platform: "vertex",
    match: "*claude*",
    facts: { maxRequestBytes: 30 * MEGABYTE, betas: betasOn("vertex") },
    source: "platform.claude.com Claude on Vertex AI: 30 MB",
  },
  {
    platform: "bedrock",
    match: "*claude*",
    facts: { maxRequestBytes: 20 * MEGABYTE, betas: betasOn("bedrock") },
    source: "AWS Bedrock user guide, Anthropic Claude Messages API: 20 MB",
  },
];

/** Additions about Claude. Patterns match the vendor's name, so they apply on every platform. */
export const CLAUDE: readonly Rule[] = [
  ...NEWEST,
  ...OLDER,
  ...THINKING,
  ...REJECTS,
  ...CONTEXT,
  ...RETIRED,
  ...PLATFORMS,
];

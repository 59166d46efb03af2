import { table } from "@longhaul/conversation";
import type { DraftUpstream } from "./draft.ts";

/** Kinds of upstream that have an address of their own, by the hosts of their addresses. */
const HOSTS: readonly (readonly [RegExp, string])[] = [
  [/(^|\.)api\.anthropic\.com$/, "anthropic"],
  [/(^|\.)api\.openai\.com$/, "openai"],
  [/(^|\.)openrouter\.ai$/, "openrouter"],
  [/(^|\.)generativelanguage\.googleapis\.com$/, "gemini"],
];

/** What other tools call the vendors that have a kind of their own here. */
const KINDS: Readonly<Record<string, string>> = table({
  anthropic: "anthropic",
  openai: "openai",
  openrouter: "openrouter",
  gemini: "gemini",
  google: "gemini",
  bedrock: "bedrock",
  vertex_ai: "vertex",
  "vertex-ai": "vertex",
});

/** Where the others are that speak as OpenAI does. */
const COMPATIBLE: Readonly<Record<string, string>> = table({
  cerebras: "https://api.cerebras.ai/v1",
  deepseek: "https://api.deepseek.com/v1",
  "fireworks-ai": "https://api.fireworks.ai/inference/v1",
  fireworks_ai: "https://api.fireworks.ai/inference/v1",
  groq: "https://api.groq.com/openai/v1",
  mistral: "https://api.mistral.ai/v1",
  "mistral-ai": "https://api.mistral.ai/v1",
  moonshot: "https://api.moonshot.ai/v1",
  ollama: "http://127.0.0.1:11434/v1",
  ollama_chat: "http://127.0.0.1:11434/v1",
  perplexity: "https://api.perplexity.ai",
  "perplexity-ai": "https://api.perplexity.ai",
  "together-ai": "https://api.together.xyz/v1",
  together_ai: "https://api.together.xyz/v1",
  "x-ai": "https://api.x.ai/v1",
  xai: "https://api.x.ai/v1",
});

/** The upstream at an address: of the vendor whose address it is, else one that speaks as OpenAI does. */
export function placeAt(address: string): DraftUpstream {
  const url = URL.canParse(address) ? new URL(address) : undefined;
  const kind = HOSTS.find(([host]) => host.test(url?.hostname ?? ""))?.[1];
  if (kind !== undefined) return { kind };
  const baseUrl = address.replace(/\/+$/, "").replace(/\/(?:chat\/completions|responses|completions)$/, "");
  return { kind: "openai-compatible", baseUrl };
}

/** The upstream of a vendor, at an address of its own if it has one; nothing where it is not known where that is. */
export function placeOf(vendor: string, address?: string): DraftUpstream | undefined {
  const kind = KINDS[vendor];
  if (address !== undefined && address !== "") {
    const place = placeAt(address);
    return kind === undefined || kind === "openai" || place.kind !== "openai-compatible"
      ? place
      : { kind, baseUrl: address };
  }
  if (kind !== undefined) return { kind };
  const baseUrl = COMPATIBLE[vendor];
  return baseUrl === undefined ? undefined : { kind: "openai-compatible", baseUrl };
}

import { table } from "@longhaul/conversation";
import { COMPATIBLE_KIND, kindAt, kindNamed, UPSTREAM_KINDS } from "@longhaul/models/kinds";
import type { DraftUpstream } from "./draft.ts";

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
export function upstreamAt(address: string): DraftUpstream {
  const url = URL.canParse(address) ? new URL(address) : undefined;
  const kind = kindAt(url?.hostname ?? "");
  if (kind !== undefined) return { kind };
  const baseUrl = address.replace(/\/+$/, "").replace(/\/(?:chat\/completions|responses|completions)$/, "");
  return { kind: COMPATIBLE_KIND, baseUrl };
}

/** The upstream of a vendor, at an address of its own if it has one; nothing where it is not known where that is. */
export function upstreamOf(vendor: string, address?: string): DraftUpstream | undefined {
  const kind = kindNamed(vendor);
  if (address !== undefined && address !== "") {
    const place = upstreamAt(address);
    const isElsewhere = kind === undefined || UPSTREAM_KINDS[kind].isSpokenElsewhere;
    return isElsewhere || place.kind !== COMPATIBLE_KIND ? place : { kind, baseUrl: address };
  }
  if (kind !== undefined) return { kind };
  const baseUrl = COMPATIBLE[vendor];
  return baseUrl === undefined ? undefined : { kind: COMPATIBLE_KIND, baseUrl };
}

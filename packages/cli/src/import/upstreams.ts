import { table } from "@longhaul/conversation/advanced";
import { COMPATIBLE_KIND, kindAt, kindNamed, UPSTREAM_KINDS } from "@longhaul/models/kinds";
import type { DraftUpstream } from "./draft.ts";

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

/** Returns the upstream at an address: of a known vendor, or else an OpenAI-compatible one. */
export function upstreamAt(address: string): DraftUpstream {
  const url = URL.canParse(address) ? new URL(address) : undefined;
  const kind = kindAt(url?.hostname ?? "");
  if (kind !== undefined) return { kind };
  const baseUrl = address.replace(/\/+$/, "").replace(/\/(?:chat\/completions|responses|completions)$/, "");
  return { kind: COMPATIBLE_KIND, baseUrl };
}

/** Returns the upstream of a vendor, at the given address if there is one; `undefined` if its address is not known. */
export function upstreamOf(vendor: string, address?: string): DraftUpstream | undefined {
  const kind = kindNamed(vendor);
  if (address !== undefined && address !== "") {
    const upstream = upstreamAt(address);
    const isElsewhere = kind === undefined || UPSTREAM_KINDS[kind].hasCompatibleServers;
    return isElsewhere || upstream.kind !== COMPATIBLE_KIND ? upstream : { kind, baseUrl: address };
  }
  if (kind !== undefined) return { kind };
  const baseUrl = COMPATIBLE[vendor];
  return baseUrl === undefined ? undefined : { kind: COMPATIBLE_KIND, baseUrl };
}

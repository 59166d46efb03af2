import type { Overflow } from "@longhaul/conversation/advanced";
import { defined } from "../fields/json.ts";

/** An upstream's error response. */
export interface Refusal {
  readonly status?: number;
  readonly message: string;
  /** The vendor's own error code or type. */
  readonly code?: string;
}

/**
 * Returns the token count and limit if an error means that the request exceeds the model's context window. Rate limits also mention
 * too many tokens, but are not overflows.
 */
export function recognizeOverflow({ status, message, code }: Refusal): Overflow | undefined {
  if (status === 429 || RATE_LIMIT.test(message) || NOT_CODES.has(code ?? "")) return undefined;
  const match = OVERFLOW_WORDINGS.map((wording) => wording.pattern.exec(message)).find((match) => match !== null);
  if (match !== undefined) return figuresOf(match.groups ?? {});
  return OVERFLOW_CODES.has(code ?? "") ? {} : undefined;
}

function figuresOf(groups: Readonly<Record<string, string | undefined>>): Overflow {
  return defined({
    actualTokens: figure(groups.actual),
    limitTokens: figure(groups.limit),
    outputTokens: figure(groups.output),
  });
}

function figure(text: string | undefined): number | undefined {
  return text === undefined ? undefined : Number(text.replaceAll(",", ""));
}

const RATE_LIMIT = /rate.?limit|too many requests|too many tokens, please wait|throttl|tokens per min|quota/i;

/** Codes that do not mean a long conversation: one string that is too long, or a rate limit. */
const NOT_CODES: ReadonlySet<string> = new Set(["string_above_max_length", "rate_limit_exceeded"]);

const OVERFLOW_CODES: ReadonlySet<string> = new Set([
  "context_length_exceeded", // OpenAI, OpenRouter
  "model_max_prompt_tokens_exceeded", // GitHub Copilot
  "request_too_large", // Anthropic, by bytes
  "1261", // z.ai
]);

/** Known overflow messages, each with a sample above it. The groups are `actual`, `limit` and `output`, in tokens. */
export const OVERFLOW_WORDINGS: readonly { readonly vendor: string; readonly pattern: RegExp }[] = [
  // Input tokens exceed the configured limit of 272000 tokens. Your messages resulted in 290114 tokens. Please reduce the length of the messages.
  {
    vendor: "openai",
    pattern:
      /input tokens exceed the configured limit of (?<limit>[\d,]+) tokens(?:\. Your messages resulted in (?<actual>[\d,]+) tokens)?/i,
  },
  // prompt is too long: 204826 tokens > 200000 maximum
  { vendor: "anthropic", pattern: /prompt is too long(?:: (?<actual>[\d,]+) tokens? > (?<limit>[\d,]+) maximum)?/i },
  // input length and `max_tokens` exceed context limit: 188240 + 21333 > 200000, decrease input length or `max_tokens` and try again
  {
    vendor: "anthropic",
    pattern:
      /input length and .?max_tokens.? exceed context limit(?:: (?<actual>[\d,]+) \+ (?<output>[\d,]+) > (?<limit>[\d,]+))?/i,
  },
  // capability_rejected: prompt_too_long
  { vendor: "anthropic gateways", pattern: /capability_rejected: prompt_too_long/i },
  // This model's maximum context length is 128000 tokens. However, your messages resulted in 202868 tokens (202767 in the messages, …
  {
    vendor: "openai",
    pattern:
      /maximum context length is (?<limit>[\d,]+) tokens\. However, your messages resulted in (?<actual>[\d,]+) tokens/i,
  },
  // This model's maximum context length is 8192 tokens. However, you requested 9500 tokens (8500 in the messages, 1000 in the completion).
  {
    vendor: "openai, vllm",
    pattern:
      /maximum context length is (?<limit>[\d,]+) tokens\. However, you requested [\d,]+ tokens \((?<actual>[\d,]+) in the (?:messages|prompt)[^;)]*?(?:[,;] (?<output>[\d,]+) in the (?:completion|output))?\)/i,
  },
  // This model's maximum context length is 4096 tokens. However, your request has 5210 input tokens. Please reduce the length of the input.
  {
    vendor: "vllm",
    pattern:
      /maximum context length is (?<limit>[\d,]+) tokens\. However, your request has (?<actual>[\d,]+) input tokens/i,
  },
  // This endpoint's maximum context length is 200000 tokens. However, you requested about 260321 tokens (258000 of text input, …
  {
    vendor: "openrouter",
    pattern:
      /maximum context length is (?<limit>[\d,]+) tokens\. However, you requested (?:about )?(?<actual>[\d,]+) tokens/i,
  },
  // Your input exceeds the context window of this model. Please adjust your input and try again.
  { vendor: "openai", pattern: /exceeds the context window/i },
  // The input token count (1200293) exceeds the maximum number of tokens allowed (1048576).
  {
    vendor: "google",
    pattern:
      /input token count(?: \((?<actual>[\d,]+)\))? exceeds the maximum number of tokens allowed(?: \((?<limit>[\d,]+)\))?/i,
  },
  // Input is too long for requested model.
  { vendor: "bedrock", pattern: /input is too long for requested model/i },
  // This model's maximum prompt length is 131072 but the request contains 537812 tokens.
  {
    vendor: "xai",
    pattern: /maximum prompt length is (?<limit>[\d,]+)(?: but the request contains (?<actual>[\d,]+) tokens)?/i,
  },
  // Please reduce the length of the messages or completion.
  { vendor: "groq", pattern: /reduce the length of the messages/i },
  // prompt token count of 140231 exceeds the limit of 128000
  { vendor: "github-copilot", pattern: /token count of (?<actual>[\d,]+) exceeds the limit of (?<limit>[\d,]+)/i },
  // the request exceeds the available context size, try increasing it
  { vendor: "llama.cpp", pattern: /exceeds the available context size/i },
  // The number of tokens to keep from the initial prompt is greater than the context length.
  { vendor: "lm-studio", pattern: /greater than the context length/i },
  // Prompt contains 40213 tokens and 0 draft tokens, too large for model with 32768 maximum context length
  {
    vendor: "mistral",
    pattern:
      /(?:prompt contains (?<actual>[\d,]+) tokens.*)?too large for model with (?<limit>[\d,]+) maximum context length/i,
  },
  // Your request exceeded model token limit: 262144 (requested: 291351)
  {
    vendor: "moonshot",
    pattern: /exceeded model token limit(?:: (?<limit>[\d,]+)(?: \(requested: (?<actual>[\d,]+)\))?)?/i,
  },
  // Range of input length should be [1, 30720]
  { vendor: "dashscope", pattern: /range of input length should be(?: \[\d+, (?<limit>[\d,]+)\])?/i },
  // The input (10041 tokens) is longer than the model's context length (8192 tokens).
  {
    vendor: "together",
    pattern:
      /(?:input \((?<actual>[\d,]+) tokens\) )?is longer than the model's context length(?: \((?<limit>[\d,]+) tokens\))?/i,
  },
  // prompt too long; exceeded max context length by 512 tokens
  { vendor: "ollama", pattern: /prompt too long; exceeded (?:max )?context length/i },
];

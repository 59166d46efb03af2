import type { LanguageModelV4ReasoningPart } from "@ai-sdk/provider";
import type { RedactedThinkingBlock, ThinkingBlock } from "@longhaul/conversation";

// Where the providers of Anthropic, Google and OpenAI put what only their vendor can read.
const REDACTED = "redactedData";
const SIGNATURES = ["signature", "thoughtSignature", "reasoningEncryptedContent"];

/** A model's reasoning, with what its vendor sealed in the options, because that counts as tokens too. */
export function decodeReasoning({
  text,
  providerOptions = {},
}: LanguageModelV4ReasoningPart): ThinkingBlock | RedactedThinkingBlock {
  for (const options of Object.values(providerOptions)) {
    const data = options[REDACTED];
    if (typeof data === "string") return { type: "redacted-thinking", data };
    const signature = SIGNATURES.map((key) => options[key]).find((value) => typeof value === "string");
    if (typeof signature === "string") return { type: "thinking", text, signature };
  }
  return { type: "thinking", text };
}
